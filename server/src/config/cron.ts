// Whether a text is a cron expression that the schedule can run: five fields of numbers, names, ranges, lists and steps, in their
// bounds, for days that there are. Asked when settings are read, so that no schedule is refused when it starts.

type Bounds = { min: number; max: number; names?: readonly string[] }

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const minutes = { min: 0, max: 59 }
const hours = { min: 0, max: 23 }
const days = { min: 1, max: 31 }
const monthsOfYear = { min: 1, max: 12, names: months }
// 0 and 7 are Sunday.
const daysOfWeek = { min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] }

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

export function isCron(text: string): boolean {
  const [minute, hour, day, month, weekday, ...more] = text.split(' ')
  const lists = [valuesOf(minute, minutes), valuesOf(hour, hours), valuesOf(day, days), valuesOf(month, monthsOfYear)]
  const weekdays = valuesOf(weekday, daysOfWeek)
  if (more.length > 0 || weekdays === undefined || lists.includes(undefined)) return false
  if (weekday!.includes(',') && weekdays.includes(0) && weekdays.includes(7)) return false
  const [, , dayList, monthList] = lists as number[][]
  // A day that no such month has never comes, where no day of the week is asked for instead.
  return weekday !== '*' || monthList!.some(each => Math.min(...dayList!) <= longest[each - 1]!)
}

/** What a field stands for; undefined where it stands for nothing. */
function valuesOf(text: string | undefined, bounds: Bounds): number[] | undefined {
  if (text === undefined) return undefined
  const values: number[] = []
  for (const part of text.split(',')) {
    const [, range, first, last, step] = /^((\*|\w+)(?:-(\w+))?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
    if (range === undefined || (first === '*' && last !== undefined)) return undefined
    const [from, to, every] = [
      first === '*' ? bounds.min : numberOf(first!, bounds),
      first === '*' ? bounds.max : numberOf(last ?? (step === undefined ? first! : String(bounds.max)), bounds),
      Number(step ?? 1),
    ]
    if (from === undefined || to === undefined || from > to || every === 0) return undefined
    for (let value = from; value <= to; value += every) values.push(value)
  }
  // The schedule takes no field that says the same twice.
  return new Set(values).size === values.length ? values : undefined
}

function numberOf(word: string, { min, max, names }: Bounds): number | undefined {
  const named = names?.indexOf(word.toLowerCase()) ?? -1
  if (named !== -1) return min + named
  const value = /^\d{1,2}$/.test(word) ? Number(word) : undefined
  return value !== undefined && value >= min && value <= max ? value : undefined
}
