-- Decides many checks in one atomic step. KEYS: all their buckets, none twice. ARGV[1]: the batch, as
-- batch.ts writes it. Returns three integers for each denied check: the index of the charge with the
-- longest wait, microseconds until it is admitted, and microseconds until its bucket is empty. Then, for each
-- charge of the checks that want their buckets' states, three integers as of right after the check: the
-- bucket's level, microseconds until it admits one token, and microseconds until it is empty.
--
-- A bucket's value is 28 bytes, little-endian: level, last and window as doubles, limit as an integer of
-- four bytes. The arithmetic is that of leaky-bucket.ts, step by step, in integers below 2^53.

local ceil, floor, pack, unpack_struct = math.ceil, math.floor, struct.pack, struct.unpack
local call, format = redis.call, string.format
local batch = ARGV[1]
local time = call('TIME')
local clock_us = time[1] * 1000000 + time[2]

-- Below 0: the server's clock. Otherwise a test's clock, which does not move with the one by which keys
-- expire: they are kept for an hour more.
local now_us = unpack_struct('<d', batch)
local spare_us = 0
if now_us < 0 then now_us = clock_us else spare_us = 3600000000 end

-- By the bucket's index in KEYS: its level at its last charge, the time and the rule of that charge.
local levels, lasts, windows, limits = {}, {}, {}, {}
for from = 1, #KEYS, 1000 do -- unpack() is limited
  local upto = math.min(from + 999, #KEYS)
  local values = call('MGET', unpack(KEYS, from, upto))
  for i = 1, upto - from + 1 do
    local value = values[i]
    if value and #value == 28 then
      local key = from + i - 1
      levels[key], lasts[key], windows[key], limits[key] = unpack_struct('<dddI', value)
    end
  end
end

local changed, is_changed = {}, {} -- indexes in KEYS, each once

local function change(key, level, window_us, limit)
  levels[key], lasts[key], windows[key], limits[key] = level, now_us, window_us, limit
  if not is_changed[key] then
    is_changed[key] = true
    changed[#changed + 1] = key
  end
end

-- A level under another rule: the same tokens, rounded up to a unit, in products below 2^53.
local function rescaled(level, stored_us, limit, window_us)
  local from, to = stored_us / 1000000, window_us / 1000000
  local whole = floor(level / from)
  local rest = level - whole * from
  return math.min(limit * window_us, whole * to + ceil(rest * to / from))
end

-- The bucket's level now, under the rule of the charge.
local function level_now(key, limit, window_us)
  local level = levels[key]
  if not level or level == 0 then return 0 end
  local elapsed_us = now_us - lasts[key]
  if elapsed_us < 0 then elapsed_us = 0 end
  if windows[key] ~= window_us or limits[key] ~= limit then
    -- Empty under the rule of its last charge: only the rounding of the expiry has kept the key.
    if ceil(level / limits[key]) <= elapsed_us then return 0 end
    level = rescaled(level, windows[key], limit, window_us)
  end
  if elapsed_us >= window_us then return 0 end
  level = level - elapsed_us * limit
  return level > 0 and level or 0
end

local denials = {}
local denied = false -- whether an earlier set of the check was denied
local wait_us, wait_at, wait_empty_us = 0, 0, 0 -- the longest wait of the set
local size = 0 -- charges of the set that change their bucket:
local set_keys, set_levels, set_windows, set_limits = {}, {}, {}, {}

local function close_set()
  if wait_us > 0 then
    local last = #denials
    denials[last + 1], denials[last + 2], denials[last + 3] = wait_at, wait_us, wait_empty_us
    denied = true
    wait_us = 0
  else
    for i = 1, size do change(set_keys[i], set_levels[i], set_windows[i], set_limits[i]) end
  end
  size = 0
end

local states = {}
local states_from -- the first charge of the check, if it wants states

local function close_check(next_at)
  if not states_from then return end
  for at = states_from, next_at - 1 do
    local _, key, limit, window_us = unpack_struct('<BHdd', batch, 9 + 27 * at)
    local level = level_now(key, limit, window_us)
    local excess = level + window_us - limit * window_us
    local last = #states
    states[last + 1], states[last + 2] = level, excess > 0 and ceil(excess / limit) or 0
    states[last + 3] = ceil(level / limit)
  end
end

local count = (#batch - 8) / 27
for at = 0, count - 1 do
  local start, key, limit, window_us, cost = unpack_struct('<BHddd', batch, 9 + 27 * at)
  if start > 0 then -- 1: of a set, 2: of a check, 3: of a check that wants states
    close_set()
    if start > 1 then
      close_check(at)
      denied = false
      states_from = start == 3 and at or nil
    end
  end
  if not denied then
    if levels[key] and lasts[key] > now_us then -- the clock went back: the bucket continues from its new time
      change(key, levels[key], windows[key], limits[key])
    end
    local level = level_now(key, limit, window_us)
    if cost >= 0 then
      local excess = level + (cost == 0 and 1 or cost) * window_us - limit * window_us
      if excess > 0 then
        local wait = ceil(excess / limit)
        if wait > wait_us then wait_us, wait_at, wait_empty_us = wait, at, ceil(level / limit) end
      end
    end
    if cost > 0 or (cost < 0 and levels[key]) then
      size = size + 1
      local after = level + cost * window_us
      set_keys[size], set_windows[size], set_limits[size] = key, window_us, limit
      set_levels[size] = after > 0 and after or 0
    end
  end
end
close_set()
close_check(count)

-- New buckets of a rule have the same value, so the last value and expiry of each rule are reused. The
-- expiry is text: the server's own conversion of a double to text takes longer than all the rest.
local last_values = {}
for i = 1, #changed do
  local key = changed[i]
  local level, limit, window_us = levels[key], limits[key], windows[key]
  if level == 0 then
    call('DEL', KEYS[key])
  else
    local last = last_values[limit * window_us]
    if not last or last[1] ~= level or last[2] ~= limit then
      local empty_us = clock_us + spare_us + ceil(level / limit)
      local value = pack('<dddI', level, now_us, window_us, limit)
      last = { level, limit, value, format('%d', ceil(empty_us / 1000)) }
      last_values[limit * window_us] = last
    end
    call('SET', KEYS[key], last[3], 'PXAT', last[4])
  end
end
for i = 1, #states do denials[#denials + 1] = states[i] end
return denials
