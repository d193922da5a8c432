// Schema pieces that all figures share: how a stretch of time is asked for, and how it is returned.
import { Type } from 'typebox'
import { MomentInput, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { intervals } from './rules.ts'

export const rangeQuery = {
  after: Type.Optional(
    Type.Unsafe<string>({
      ...MomentInput,
      description:
        'From here on, moved down to the beginning of its hour or day: an ISO 8601 time with offset, or a date in the time' +
        ' zone of the organization. Without it: the last 24 hours before the end.',
    }),
  ),
  before: Type.Optional(
    Type.Unsafe<string>({
      ...MomentInput,
      description: 'Until here, exclusive, moved up to the end of its hour or day. Without it: now.',
    }),
  ),
  interval: Type.Optional(
    OneOf(intervals, {
      description:
        "Hours (at most 31 days) or days of the organization's time zone. Without it: hours up to 7 days, else days.",
    }),
  ),
}

export const axisReply = {
  after: Timestamp,
  before: Timestamp,
  interval: OneOf(intervals),
  timeZone: Type.String({ description: 'That of the organization (IANA name), whose days and hours these are.' }),
  buckets: Type.Array(Timestamp, { description: 'When each bucket begins. Lists of figures have as many entries.' }),
}
