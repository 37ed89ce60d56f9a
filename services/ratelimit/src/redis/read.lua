-- The server's time, then what KEYS hold.
local time = redis.call('TIME')
return { time[1], time[2], redis.call('MGET', unpack(KEYS)) }
