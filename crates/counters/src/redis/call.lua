-- Charges a call to all logs or to none, takes such a charge back, or only reports the state of the logs.
--
-- KEYS: the logs, lists of times in milliseconds, oldest first.
-- ARGV: 1 to charge, 2 to take back what was charged at that time, or 0 to peek; the caller's time;
--       then for each log its limit, its window, and 1, or 0 when an earlier key of the call is the same log.
-- Answers: 1 when the call is admitted; then for each log what remains and when its next place is free.

-- A node may be this much behind the others and still find what it counts.
local CLOCK_DIFFERENCE = 60000

local charging = ARGV[1] == '1'
local now = tonumber(ARGV[2])

local function limit_of(i) return tonumber(ARGV[3 * i]) end
local function window_of(i) return tonumber(ARGV[3 * i + 1]) end
local function is_first(i) return ARGV[3 * i + 2] == '1' end

local function entry(key, index)
  local time = redis.call('LINDEX', key, index)
  return time and tonumber(time)
end

-- How many entries at the front are not younger than a time. Often none or one, so these are tried first.
local function count_until(key, length, time)
  if length == 0 or entry(key, 0) > time then return 0 end
  if length == 1 or entry(key, 1) > time then return 1 end
  local low, high = 2, length
  while low < high do
    local middle = math.floor((low + high) / 2)
    if entry(key, middle) > time then high = middle else low = middle + 1 end
  end
  return low
end

if ARGV[1] == '2' then
  for i, key in ipairs(KEYS) do
    local length = redis.call('LLEN', key)
    -- In a log that was ahead of the caller's clock, the entry of the call has a later time.
    local place = count_until(key, length, now - 1)
    if is_first(i) and place < length then redis.call('LREM', key, 1, redis.call('LINDEX', key, place)) end
  end
end

local moments, gone = {}, {}
local admitted = 1
for i, key in ipairs(KEYS) do
  local window = window_of(i)
  local length = redis.call('LLEN', key)
  local newest = entry(key, -1)
  moments[i] = now
  if newest and newest - now > window then
    -- The clock was set back: the log starts anew.
    gone[i] = length
  else
    if newest and newest > now then moments[i] = newest end
    gone[i] = count_until(key, length, moments[i] - window)
  end
  if length - gone[i] >= limit_of(i) then admitted = 0 end
end

if charging and admitted == 1 then
  for i, key in ipairs(KEYS) do
    if is_first(i) then
      if gone[i] > 0 then redis.call('LTRIM', key, gone[i], -1) end
      redis.call('RPUSH', key, string.format('%.0f', moments[i]))
      redis.call('PEXPIRE', key, string.format('%.0f', window_of(i) + CLOCK_DIFFERENCE))
    end
    gone[i] = 0
  end
end

local answer = { admitted }
for i, key in ipairs(KEYS) do
  local counted = redis.call('LLEN', key) - gone[i]
  local surplus = math.max(counted - limit_of(i), 0)
  local next_to_go = entry(key, gone[i] + surplus)
  answer[#answer + 1] = math.max(limit_of(i) - counted, 0)
  answer[#answer + 1] = next_to_go and next_to_go + window_of(i) or now
end
return answer
