-- Fixed windows and concurrency limits: a part of decide.lua. A value of a fixed window is 20 bytes, little-endian: count as
-- an integer of four bytes, start and window as doubles. A value of a concurrency limit is "L", then 26 bytes for each lease,
-- in the order of their ends: its ID, its end as a double, its permits as an integer of two bytes. The arithmetic is that of
-- fixed-window.ts and permits.ts.

local batch_leases = ARGV[2]
local FIXED = 1 -- the kind; 2: a concurrency limit
local LEASE_CHARGE, LEASE = 35, 26 -- bytes

-- By the bucket's index in KEYS: the leases of a concurrency limit, { id, end, permits }. A fixed window is in `levels`,
-- `lasts` and `windows`, with a window below 0.
local leases = {}
-- The charges of leases of the set: { key, window, cost, mode, id, granted end, earlier end, earlier permits }.
local set_leases = {}
local lease_at = 0

local function append(list, first, second, third)
  local last = #list
  list[last + 1], list[last + 2], list[last + 3] = first, second, third
end

local function deny(at, wait, empty_us)
  if wait > wait_us then wait_us, wait_at, wait_empty_us = wait, at, empty_us end
end

local function mark(key)
  if is_changed[key] then return end
  is_changed[key] = true
  changed[#changed + 1] = key
end

local function read(key, value)
  if #value == 20 then
    levels[key], lasts[key], windows[key] = unpack_struct('<Idd', value)
    windows[key] = -windows[key]
  elseif value:sub(1, 1) == 'L' then
    local list = {}
    for at = 2, #value, LEASE do
      local id, ends_us, permits = unpack_struct('<c16dH', value, at)
      list[#list + 1] = { id, ends_us, permits }
    end
    leases[key] = list
  end
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

local function charge_window(at, key, limit, window_us, cost)
  local count, start_us = count_now(key, limit), window_start(key, window_us)
  if cost >= 0 and count + max(1, cost) > limit then
    local rest_us = start_us + window_us - now_us
    deny(at, rest_us, count == 0 and 0 or rest_us)
  end
  if cost > 0 or (cost < 0 and levels[key]) then
    size = size + 1
    set_keys[size], set_levels[size], set_lasts[size] = key, max(0, count + cost), start_us
    set_windows[size], set_limits[size] = -window_us, limit
  end
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

local function charge_lease(at, key, limit, window_us, cost)
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
  local ends_us = now_us + window_us
  -- By its end an undo finds out whether the lease was renewed again, perhaps in the same microsecond.
  if mode == 1 and earlier and earlier[2] <= ends_us and earlier[2] > ends_us - 1000 then ends_us = earlier[2] - 1 end
  put_lease(key, id, ends_us, permits)
  if mode == 1 then append(undos, ends_us, earlier and earlier[2] or 0, earlier and earlier[3] or 0) end
end

local function store(key, is_used, value, lives_us)
  if not is_used then
    call('DEL', KEYS[key])
    return
  end
  call('SET', KEYS[key], value, 'PXAT', format('%d', ceil((clock_us + spare_us + lives_us) / 1000)))
end

other_kinds = {
  read = read,

  charge = function(kind, at, key, limit, window_us, cost)
    if kind == FIXED then
      if not denied then charge_window(at, key, limit, window_us, cost) end
      return
    end
    if not denied then charge_lease(at, key, limit, window_us, cost) end
    lease_at = lease_at + 1
  end,

  close_set = function(is_denied)
    if not is_denied then
      for i = 1, size do leases[set_keys[i]] = nil end -- of a rule that has another kind now
    end
    for i = 1, #set_leases do
      if not is_denied then commit_lease(unpack(set_leases[i]))
      elseif set_leases[i][4] == 1 then append(undos, 0, 0, 0) end
    end
    set_leases = {}
  end,

  append_state = function(kind, key, limit, window_us)
    if kind == FIXED then
      local count = count_now(key, limit)
      local rest_us = window_start(key, window_us) + window_us - now_us
      append(states, count, count < limit and 0 or rest_us, count == 0 and 0 or rest_us)
      return
    end
    local list, held = live_leases(key, window_us), 0
    for i = 1, #list do held = held + list[i][3] end
    append(states, held, permit_wait(list, nil, 1, limit, window_us, 0), time_to_last_end(list))
  end,

  -- Whether the bucket is of these kinds. If so, it is written.
  write = function(key)
    local list = leases[key]
    if list then
      local parts = { 'L' }
      for i = 1, #list do parts[i + 1] = pack('<c16dH', unpack(list[i])) end
      store(key, #list > 0, table.concat(parts), time_to_last_end(list))
      return true
    end
    if windows[key] > 0 then return false end
    local count, start_us, window_us = levels[key], lasts[key], -windows[key]
    store(key, count > 0, pack('<Idd', count, start_us, window_us), start_us + window_us - now_us)
    return true
  end,
}
