// The English texts of parts that show data.
export const en = {
  loading: 'Loading',
  live: 'Live',
  'live.closed': 'not connected',
  'live.connecting': 'connecting',
  'live.open': 'connected',
  'live.paused': 'paused',
  otherMode: '{mode, select, live {This is in your live data} other {This is in your test data}}',
  otherModeText:
    '{mode, select, live {You’re in live mode} other {You’re in test mode}}, and the two are kept apart. Switch to see it.',
  switchMode: '{mode, select, live {Switch to live mode} other {Switch to test mode}}',
  all: 'All {things}',
  missing: 'This doesn’t exist',
  missingText: 'It may have been deleted, the link may be mistyped, or you may not have access to it.',
  events: 'Activity',
  eventsOf: 'Activity, newest first',
  eventsRefused: 'Your role doesn’t include the activity log.',
  eventsNone: 'No activity yet',
  eventsNoneText: 'What happens here shows up in this list.',
  moved: '{from} to {to}',
} as const
