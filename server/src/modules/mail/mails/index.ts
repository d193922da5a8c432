// What others may use of mail: declaring a template beside what sends it, and writing a mail in the transaction of what it is about.
export { type MailTemplate, mailTemplate, type TemplateData } from '../templates/index.ts'
export { purgeOldMails, sendMails } from './jobs.ts'
export { type Addressee, type QueuedMail, queueMail } from './queue_mail.ts'
export { mailQueue } from './sending_store.ts'
export { findUnsubscribe, unsubscribe } from './unsubscribe.ts'
