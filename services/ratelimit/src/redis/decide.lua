-- Decides many checks in one atomic step. KEYS: all their buckets, none twice. ARGV[1]: the batch, and ARGV[2] its
-- leases, as batch.ts writes them. Returns three integers for each denied check: the index of the charge with the
-- longest wait, microseconds until it is admitted, and microseconds until its bucket is empty. Then, for each
-- charge of the checks that want their buckets' states, three integers as of right after the check: the
-- bucket's level, microseconds until it admits one token, and microseconds until it is empty. Then, for each lease
-- that may be undone, three integers: its end now, and its end and permits before; all 0 if it was not granted.
--
-- This file has leaky buckets. other-kinds.lua is inserted below for batches with other kinds: Redis makes all functions of
-- a script anew for each call, which costs more than a check. A leaky bucket's value is 28 bytes, little-endian: level, last
-- and window as doubles, limit as an integer of four bytes. A value of another length is that of another kind. The
-- arithmetic is that of leaky-bucket.ts, step by step, in integers below 2^53.

local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min
local pack, unpack_struct = struct.pack, struct.unpack
local call, format = redis.call, string.format
local batch = ARGV[1]
local time = call('TIME')
local clock_us = time[1] * 1000000 + time[2]

local CHARGE = 27 -- bytes
local MAX_FINE = 281474976710655 -- the largest capacity in microseconds with which a bucket is exact, (2^53 - 1) / 32

-- Below 0: the server's clock. Otherwise a test's clock, which does not move with the one by which keys
-- expire: they are kept for an hour more.
local now_us = unpack_struct('<d', batch)
local spare_us = 0
if now_us < 0 then now_us = clock_us else spare_us = 3600000000 end

-- By the bucket's index in KEYS: its level, the time and the rule of its last charge.
local levels, lasts, windows, limits = {}, {}, {}, {}
local changed, is_changed = {}, {} -- indexes in KEYS, each once
local denials, states, undos = {}, {}, {}

local denied = false -- whether an earlier set of the check was denied
local wait_us, wait_at, wait_empty_us = 0, 0, 0 -- the longest wait of the set
local size = 0 -- charges of the set that change their bucket:
local set_keys, set_levels, set_lasts, set_windows, set_limits = {}, {}, {}, {}, {}

local function change(key, level, last_us, window_us, limit)
  levels[key], lasts[key], windows[key], limits[key] = level, last_us, window_us, limit
  if not is_changed[key] then
    is_changed[key] = true
    changed[#changed + 1] = key
  end
end

-- The tick of a rule that is not exact in microseconds.
local function coarse_tick(limit, window_us)
  return limit * (window_us / 1000) <= MAX_FINE and 1000 or 1000000
end

local function drain_time(units, limit, tick_us)
  local ticks = ceil(units / limit)
  if tick_us == 1 then return ticks end
  return (floor(now_us / tick_us) + ticks) * tick_us - now_us
end

local function drained(level, last_us, limit, token, tick_us)
  local elapsed = now_us - last_us
  if tick_us > 1 then elapsed = floor(now_us / tick_us) - ceil(last_us / tick_us) end
  if elapsed <= 0 then return level end
  if elapsed >= token then return 0 end
  level = level - elapsed * limit
  return level > 0 and level or 0
end

-- A level under another rule: the same tokens, rounded up to a unit of the coarser tick, in products below 2^53.
local function rescaled(key, limit, window_us, tick_us)
  local level, stored_us, stored_limit = levels[key], windows[key], limits[key]
  if stored_us < 0 then return 0 end -- of another kind
  local stored_tick_us = stored_limit * stored_us <= MAX_FINE and 1 or coarse_tick(stored_limit, stored_us)
  -- Empty under the rule of its last charge: only the rounding of the expiry has kept the key.
  if drained(level, lasts[key], stored_limit, stored_us / stored_tick_us, stored_tick_us) == 0 then return 0 end
  if tick_us > stored_tick_us then level = ceil(level / (tick_us / stored_tick_us)) end
  local from, to = stored_us / 1000000, window_us / 1000000
  local whole = floor(level / from)
  local rest = level - whole * from
  local scaled = whole * to + ceil(rest * to / from)
  return min(limit * (window_us / tick_us), scaled * max(1, stored_tick_us / tick_us))
end

-- The bucket's level now, under the rule of the charge.
local function level_now(key, limit, window_us, tick_us)
  local level = levels[key]
  if not level or level == 0 then return 0 end
  if windows[key] ~= window_us or limits[key] ~= limit then level = rescaled(key, limit, window_us, tick_us) end
  return drained(level, lasts[key], limit, window_us / tick_us, tick_us)
end

local other_kinds
-- insert ./other-kinds.lua

for from = 1, #KEYS, 1000 do -- unpack() is limited
  local upto = min(from + 999, #KEYS)
  local values = call('MGET', unpack(KEYS, from, upto))
  for i = 1, upto - from + 1 do
    local value = values[i]
    if value then
      local key = from + i - 1
      if #value == 28 then
        levels[key], lasts[key], windows[key], limits[key] = unpack_struct('<dddI', value)
      elseif other_kinds then
        other_kinds.read(key, value)
      end
    end
  end
end

-- Charges its buckets, if none of them was denied.
local function close_set()
  if wait_us > 0 then
    local last = #denials
    denials[last + 1], denials[last + 2], denials[last + 3] = wait_at, wait_us, wait_empty_us
    denied = true
  else
    for i = 1, size do change(set_keys[i], set_levels[i], set_lasts[i], set_windows[i], set_limits[i]) end
  end
  if other_kinds then other_kinds.close_set(wait_us > 0) end
  size, wait_us = 0, 0
end

local states_from -- the first charge of the check, if it wants states

local function close_check(next_at)
  if not states_from then return end
  for at = states_from, next_at - 1 do
    local start, key, limit, window_us = unpack_struct('<BHdd', batch, 9 + CHARGE * at)
    if start > 3 then
      other_kinds.append_state(floor(start / 4), key, limit, window_us)
    else
      local tick_us = limit * window_us <= MAX_FINE and 1 or coarse_tick(limit, window_us)
      local token = window_us / tick_us
      local level = level_now(key, limit, window_us, tick_us)
      local excess = level + token - limit * token
      local last = #states
      states[last + 1] = level
      states[last + 2] = excess > 0 and drain_time(excess, limit, tick_us) or 0
      states[last + 3] = level == 0 and 0 or drain_time(level, limit, tick_us)
    end
  end
end

local function charge(at, key, limit, window_us, cost)
  local tick_us = limit * window_us <= MAX_FINE and 1 or coarse_tick(limit, window_us)
  local token, level = window_us / tick_us, 0
  if levels[key] then
    if lasts[key] > now_us and windows[key] > 0 then -- the clock went back: the bucket continues from its new time
      local stored, stored_us = limits[key], windows[key]
      local stored_tick_us = stored * stored_us <= MAX_FINE and 1 or coarse_tick(stored, stored_us)
      change(key, levels[key], floor(now_us / stored_tick_us) * stored_tick_us, stored_us, stored)
    end
    level = level_now(key, limit, window_us, tick_us)
  end
  if cost >= 0 then
    local excess = level + (cost == 0 and 1 or cost) * token - limit * token
    if excess > 0 then
      local wait = drain_time(excess, limit, tick_us)
      if wait > wait_us then
        wait_us, wait_at = wait, at
        wait_empty_us = level == 0 and 0 or drain_time(level, limit, tick_us)
      end
    end
  end
  if cost > 0 or (cost < 0 and levels[key]) then
    size = size + 1
    local after = level + cost * token
    set_keys[size], set_windows[size], set_limits[size] = key, window_us, limit
    set_levels[size] = after > 0 and after or 0
    set_lasts[size] = tick_us == 1 and now_us or floor(now_us / tick_us) * tick_us
  end
end

local count = (#batch - 8) / CHARGE
for at = 0, count - 1 do
  local start, key, limit, window_us, cost = unpack_struct('<BHddd', batch, 9 + CHARGE * at)
  local kind = 0
  if start > 3 then
    kind = floor(start / 4)
    start = start % 4
  end
  if start > 0 then -- 1: of a set, 2: of a check, 3: of a check that wants states
    close_set()
    if start > 1 then
      close_check(at)
      denied = false
      states_from = start == 3 and at or nil
    end
  end
  if kind > 0 then
    other_kinds.charge(kind, at, key, limit, window_us, cost)
  elseif not denied then
    charge(at, key, limit, window_us, cost)
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
  if other_kinds and other_kinds.write(key) then
    -- it is written
  elseif level == 0 then
    call('DEL', KEYS[key])
  else
    local last = last_values[limit * window_us]
    if not last or last[1] ~= level or last[2] ~= limit then
      local tick_us = limit * window_us <= MAX_FINE and 1 or coarse_tick(limit, window_us)
      local empty_us = clock_us + spare_us + drain_time(level, limit, tick_us)
      local value = pack('<dddI', level, lasts[key], window_us, limit)
      last = { level, limit, value, format('%d', ceil(empty_us / 1000)) }
      last_values[limit * window_us] = last
    end
    call('SET', KEYS[key], last[3], 'PXAT', last[4])
  end
end
for i = 1, #states do denials[#denials + 1] = states[i] end
for i = 1, #undos do denials[#denials + 1] = undos[i] end
return denials
