// What people are sent about apps that they register.
import { notice } from '../notices/index.ts'

export const appMadeNotice = notice({
  key: 'app_made',
  about: 'To somebody in whose name an app was registered.',
  subject: 'An app was registered in your name',
  what: 'an app was registered in your name that may be given rights in live mode: {{ detail }}.',
  detail: 'Invoice sync',
})
