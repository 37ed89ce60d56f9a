-- Decides many checks in one atomic step. KEYS: all their buckets, none twice. ARGV[1]: the batch, and ARGV[2] its
-- leases, as batch.ts writes them. Returns three integers for each denied check: the index of the charge with the
-- longest wait, microseconds until it is admitted, and microseconds until its bucket is empty. Then, for each
-- charge of the checks that want their buckets' states, three integers as of right after the check: the
-- bucket's level, microseconds until it admits one token, and microseconds until it is empty. Then, for each lease
-- that may be undone, three integers: its end now, and its end and permits before; all 0 if it was not granted.
--
-- A bucket's value, little-endian, has its kind's length:
-- a leaky bucket 28 bytes: level, last and window as doubles, limit as an integer of four bytes;
-- a fixed window 20 bytes: count as an integer of four bytes, start and window as doubles;
-- a concurrency limit "L", then 26 bytes for each lease, in the order of their ends: its ID, its end as a double, its
-- permits as an integer of two bytes.
--
-- The arithmetic is that of leaky-bucket.ts, fixed-window.ts and permits.ts, step by step, in integers below 2^53.

local ceil, floor, max, min = math.ceil, math.floor, math.max, math.min
local pack, unpack_struct = struct.pack, struct.unpack
local call, format = redis.call, string.format
local batch, batch_leases = ARGV[1], ARGV[2]
local time = call('TIME')
local clock_us = time[1] * 1000000 + time[2]

local LEAKY, FIXED, CONCURRENCY = 0, 1, 2
local CHARGE, LEASE_CHARGE, LEASE = 27, 35, 26 -- bytes

-- Below 0: the server's clock. Otherwise a test's clock, which does not move with the one by which keys
-- expire: they are kept for an hour more.
local now_us = unpack_struct('<d', batch)
local spare_us = 0
if now_us < 0 then now_us = clock_us else spare_us = 3600000000 end

-- By the bucket's index in KEYS: its level and time, and the rule of its last charge. The window of a fixed window is
-- below 0.
local levels, lasts, windows, limits = {}, {}, {}, {}
-- The leases of a concurrency limit, in place of all these: { id, end, permits }.
local leases = {}

local function read_leases(value)
  local list = {}
  for at = 2, #value, LEASE do
    local id, ends_us, permits = unpack_struct('<c16dH', value, at)
    list[#list + 1] = { id, ends_us, permits }
  end
  return list
end

for from = 1, #KEYS, 1000 do -- unpack() is limited
  local upto = min(from + 999, #KEYS)
  local values = call('MGET', unpack(KEYS, from, upto))
  for i = 1, upto - from + 1 do
    local value = values[i]
    if value then
      local key = from + i - 1
      if #value == 28 then
        levels[key], lasts[key], windows[key], limits[key] = unpack_struct('<dddI', value)
      elseif #value == 20 then
        levels[key], lasts[key], windows[key] = unpack_struct('<Idd', value)
        windows[key] = -windows[key]
      elseif value:sub(1, 1) == 'L' then
        leases[key] = read_leases(value)
      end
    end
  end
end

local changed, is_changed = {}, {} -- indexes in KEYS, each once

local function mark(key)
  if is_changed[key] then return end
  is_changed[key] = true
  changed[#changed + 1] = key
end

local function change(key, level, last_us, window_us, limit)
  levels[key], lasts[key], windows[key], limits[key] = level, last_us, window_us, limit
  leases[key] = nil
  mark(key)
end

-- Leaky buckets.

-- The tick of a rule, in microseconds: the smallest with which a bucket is exact.
local function tick_of(limit, window_us)
  if 32 * limit * window_us <= 9007199254740991 then return 1 end
  if 32 * limit * (window_us / 1000) <= 9007199254740991 then return 1000 end
  return 1000000
end

local function tick_start(at_us, tick_us)
  if tick_us == 1 then return at_us end
  return floor(at_us / tick_us) * tick_us
end

local function drained(level, last_us, limit, token, tick_us)
  local elapsed
  if tick_us == 1 then elapsed = now_us - last_us
  else elapsed = floor(now_us / tick_us) - ceil(last_us / tick_us) end
  if elapsed <= 0 then return level end
  if elapsed >= token then return 0 end
  level = level - elapsed * limit
  return level > 0 and level or 0
end

local function drain_time(units, limit, tick_us)
  local ticks = ceil(units / limit)
  if tick_us == 1 then return ticks end
  return tick_start(now_us, tick_us) + ticks * tick_us - now_us
end

-- A level under another rule: the same tokens, rounded up to a unit of the coarser tick, in products below 2^53.
local function rescaled(level, stored_us, stored_tick_us, limit, window_us, tick_us)
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
  if not level or level == 0 or windows[key] < 0 then return 0 end
  if windows[key] ~= window_us or limits[key] ~= limit then
    -- Empty under the rule of its last charge: only the rounding of the expiry has kept the key.
    local stored_us, stored_tick_us = windows[key], tick_of(limits[key], windows[key])
    if drained(level, lasts[key], limits[key], stored_us / stored_tick_us, stored_tick_us) == 0 then return 0 end
    level = rescaled(level, stored_us, stored_tick_us, limit, window_us, tick_us)
  end
  return drained(level, lasts[key], limit, window_us / tick_us, tick_us)
end

-- Fixed windows.

local function count_now(key, limit)
  local count = levels[key]
  if not count or windows[key] >= 0 or now_us >= lasts[key] - windows[key] then return 0 end
  return min(count, limit)
end

local function window_start(key, window_us)
  local at_us = now_us
  if levels[key] and levels[key] > 0 and windows[key] < 0 then at_us = max(at_us, lasts[key]) end
  return at_us - at_us % window_us
end

-- Concurrency limits.

-- The leases that hold permits now. After a clock that went back, a lease ends a window after its new time.
local function live_leases(key, window_us)
  local live, latest_us = {}, now_us + window_us
  for _, lease in ipairs(leases[key] or {}) do
    if lease[2] > now_us then live[#live + 1] = { lease[1], min(lease[2], latest_us), lease[3] } end
  end
  return live
end

-- The same for a charge, which stores what has changed.
local function charged_leases(key, window_us)
  local list = leases[key]
  if not list then return {} end
  local first, last = list[1], list[#list]
  if first and (first[2] <= now_us or last[2] > now_us + window_us) then
    leases[key] = live_leases(key, window_us)
    mark(key)
  end
  return leases[key]
end

local function find_lease(list, id)
  for i = 1, #list do
    if list[i][1] == id then return i, list[i] end
  end
end

local function permit_wait(list, id, cost, limit, window_us, more)
  local wanted, own, others = max(1, cost), 0, more
  for i = 1, #list do
    if list[i][1] == id then own = list[i][3] else others = others + list[i][3] end
  end
  local excess = others + wanted - limit
  if cost < 0 or excess <= 0 or wanted <= own then return 0 end
  for i = 1, #list do
    if list[i][1] ~= id then
      excess = excess - list[i][3]
      if excess <= 0 then return list[i][2] - now_us end
    end
  end
  return window_us
end

local function time_to_last_end(list)
  local last = list[#list]
  return last and last[2] - now_us or 0
end

local function put_lease(key, id, ends_us, permits)
  if not leases[key] then
    leases[key], levels[key] = {}, nil
  end
  local list = leases[key]
  local at = #list
  while at > 0 and list[at][2] > ends_us do at = at - 1 end
  table.insert(list, at + 1, { id, ends_us, permits })
  mark(key)
end

local function end_lease(key, id)
  local list = leases[key] or {}
  local at, lease = find_lease(list, id)
  if at then
    table.remove(list, at)
    mark(key)
  end
  return lease
end

-- Charges. A set is charged when it ends, if none of its charges was denied.

local denials, states, undos = {}, {}, {}

local function append(list, first, second, third)
  local last = #list
  list[last + 1], list[last + 2], list[last + 3] = first, second, third
end

local denied = false -- whether an earlier set of the check was denied
local wait_us, wait_at, wait_empty_us = 0, 0, 0 -- the longest wait of the set
local size = 0 -- charges of the set that change their bucket:
local set_keys, set_levels, set_lasts, set_windows, set_limits = {}, {}, {}, {}, {}
local set_leases = {} -- its charges of leases: { key, window, cost, mode, id, granted end, earlier end, earlier permits }

local function deny(at, wait, empty_us)
  if wait > wait_us then wait_us, wait_at, wait_empty_us = wait, at, empty_us end
end

local function charge_later(key, level, last_us, window_us, limit)
  size = size + 1
  set_keys[size], set_levels[size], set_lasts[size] = key, max(0, level), last_us
  set_windows[size], set_limits[size] = window_us, limit
end

local function leaky(at, key, limit, window_us, cost)
  local tick_us = tick_of(limit, window_us)
  local last_us = tick_start(now_us, tick_us)
  if levels[key] and windows[key] > 0 and lasts[key] > now_us then
    -- The clock went back: the bucket continues from its new time.
    local stored_tick_us = tick_of(limits[key], windows[key])
    change(key, levels[key], tick_start(now_us, stored_tick_us), windows[key], limits[key])
  end
  local token = window_us / tick_us
  local level = level_now(key, limit, window_us, tick_us)
  if cost >= 0 then
    local excess = level + (cost == 0 and 1 or cost) * token - limit * token
    if excess > 0 then
      deny(at, drain_time(excess, limit, tick_us), level == 0 and 0 or drain_time(level, limit, tick_us))
    end
  end
  if cost > 0 or (cost < 0 and levels[key]) then
    charge_later(key, level + cost * token, last_us, window_us, limit)
  end
end

local function fixed_window(at, key, limit, window_us, cost)
  local count, start_us = count_now(key, limit), window_start(key, window_us)
  if cost >= 0 and count + max(1, cost) > limit then
    local rest_us = start_us + window_us - now_us
    deny(at, rest_us, count == 0 and 0 or rest_us)
  end
  if cost > 0 or (cost < 0 and levels[key]) then
    charge_later(key, count + cost, start_us, -window_us, limit)
  end
end

local function lease(at, key, limit, window_us, cost, lease_at)
  local mode, id, granted_us, earlier_us, earlier_permits =
    unpack_struct('<Bc16ddH', batch_leases, 1 + LEASE_CHARGE * lease_at)
  local list = charged_leases(key, window_us)
  local more = 0 -- permits that earlier charges of the set take from the bucket
  for i = 1, #set_leases do
    local before = set_leases[i]
    if before[1] == key then
      local _, held = find_lease(list, before[5])
      more = more + max(0, before[3]) - (held and held[3] or 0)
    end
  end
  local wait = permit_wait(list, id, cost, limit, window_us, more)
  if wait > 0 then deny(at, wait, time_to_last_end(list)) end
  if cost ~= 0 then
    set_leases[#set_leases + 1] = { key, window_us, cost, mode, id, granted_us, earlier_us, earlier_permits }
  end
end

-- Modes: 0 grants, renews or releases a lease. 1 does so, and keeps at least the permits that the lease had, so that it
-- can be undone. 2 undoes a grant or renewal, unless the lease was renewed again.
local function commit_lease(key, window_us, cost, mode, id, granted_us, earlier_us, earlier_permits)
  if mode == 2 then
    local _, current = find_lease(leases[key] or {}, id)
    if not current or current[2] ~= granted_us then return end
    end_lease(key, id)
    if earlier_permits > 0 and earlier_us > now_us then put_lease(key, id, earlier_us, earlier_permits) end
    return
  end
  local earlier = end_lease(key, id)
  if cost < 0 then return end
  local permits = mode == 1 and earlier and max(cost, earlier[3]) or cost
  put_lease(key, id, now_us + window_us, permits)
  if mode == 1 then append(undos, now_us + window_us, earlier and earlier[2] or 0, earlier and earlier[3] or 0) end
end

local function close_set()
  if wait_us > 0 then
    append(denials, wait_at, wait_us, wait_empty_us)
    denied = true
    wait_us = 0
    for i = 1, #set_leases do
      if set_leases[i][4] == 1 then append(undos, 0, 0, 0) end
    end
  else
    for i = 1, size do change(set_keys[i], set_levels[i], set_lasts[i], set_windows[i], set_limits[i]) end
    for i = 1, #set_leases do commit_lease(unpack(set_leases[i])) end
  end
  size = 0
  if #set_leases > 0 then set_leases = {} end
end

local states_from -- the first charge of the check, if it wants states

local function append_state(kind, key, limit, window_us)
  if kind == CONCURRENCY then
    local list, held = live_leases(key, window_us), 0
    for i = 1, #list do held = held + list[i][3] end
    append(states, held, permit_wait(list, nil, 1, limit, window_us, 0), time_to_last_end(list))
  elseif kind == FIXED then
    local count = count_now(key, limit)
    local rest_us = window_start(key, window_us) + window_us - now_us
    append(states, count, count < limit and 0 or rest_us, count == 0 and 0 or rest_us)
  else
    local tick_us = tick_of(limit, window_us)
    local token = window_us / tick_us
    local level = level_now(key, limit, window_us, tick_us)
    local excess = level + token - limit * token
    append(states, level, excess > 0 and drain_time(excess, limit, tick_us) or 0,
      level == 0 and 0 or drain_time(level, limit, tick_us))
  end
end

local function close_check(next_at)
  if not states_from then return end
  for at = states_from, next_at - 1 do
    local start, key, limit, window_us = unpack_struct('<BHdd', batch, 9 + CHARGE * at)
    append_state(floor(start / 4), key, limit, window_us)
  end
end

local count, lease_at = (#batch - 8) / CHARGE, 0
for at = 0, count - 1 do
  local start, key, limit, window_us, cost = unpack_struct('<BHddd', batch, 9 + CHARGE * at)
  local kind = LEAKY
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
  if not denied then
    if kind == LEAKY then leaky(at, key, limit, window_us, cost)
    elseif kind == FIXED then fixed_window(at, key, limit, window_us, cost)
    else lease(at, key, limit, window_us, cost, lease_at) end
  end
  if kind == CONCURRENCY then lease_at = lease_at + 1 end
end
close_set()
close_check(count)

-- The expiry is text: the server's own conversion of a double to text takes longer than all the rest.
local function store(key, value, lives_us)
  call('SET', KEYS[key], value, 'PXAT', format('%d', ceil((clock_us + spare_us + lives_us) / 1000)))
end

local function store_leases(key, list)
  local parts = { 'L' }
  for i = 1, #list do parts[i + 1] = pack('<c16dH', unpack(list[i])) end
  store(key, table.concat(parts), time_to_last_end(list))
end

-- New leaky buckets of a rule have the same value, so the last value and expiry of each rule are reused.
local last_values = {}
for i = 1, #changed do
  local key = changed[i]
  local level, limit, window_us = levels[key], limits[key], windows[key]
  if leases[key] and #leases[key] > 0 then
    store_leases(key, leases[key])
  elseif leases[key] or level == 0 then
    call('DEL', KEYS[key])
  elseif window_us < 0 then
    store(key, pack('<Idd', level, lasts[key], -window_us), lasts[key] - window_us - now_us)
  else
    local last = last_values[limit * window_us]
    if not last or last[1] ~= level or last[2] ~= limit then
      local tick_us = tick_of(limit, window_us)
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
