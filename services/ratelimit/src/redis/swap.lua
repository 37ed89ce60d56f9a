-- Replaces the value of KEYS[1], and that of KEYS[2] if there is one, unless the first has changed. ARGV: the expected value of
-- KEYS[1] (empty: none), then for each key its new value (empty: none) and its expiry in milliseconds since the Unix epoch.
-- Returns whether the values were replaced.
local current = redis.call('MGET', KEYS[1])[1] or ''
if current ~= ARGV[1] then return 0 end
for i = 1, #KEYS do
  local value = ARGV[2 * i]
  if value == '' then redis.call('DEL', KEYS[i])
  else redis.call('SET', KEYS[i], value, 'PXAT', ARGV[2 * i + 1]) end
end
return 1
