// What timelines show of mail.

export { takesMails } from '../records/index.ts'
export { listMailsNamed, listMailsOf, type MailOfRecord } from './mails_of_record.ts'
