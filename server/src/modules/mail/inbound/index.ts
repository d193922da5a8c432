// What others may use of mail that comes in.
export { storeOrKeep } from './bare.ts'
export { followers } from './followers.ts'
export { dropRaw, type Prepared, prepareMail, storeMail } from './intake.ts'
export { sweepInboundMails } from './jobs.ts'
export { partQuoted } from './quoted.ts'
export { maxMailBytes, type SenderCheck, senderChecks } from './rules.ts'
export { openSmtpDoor, receiveOverSmtp } from './smtp_door.ts'
