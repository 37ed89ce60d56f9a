-- The server's time, then the values of KEYS.
local time = redis.call('TIME')
return { time[1], time[2], redis.call('MGET', unpack(KEYS)) }
