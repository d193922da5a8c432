// What people are sent about their logins.
import { notice } from '../notices/index.ts'

export const newDeviceNotice = notice({
  key: 'new_device',
  about: 'To somebody who logged in with a browser, or from a place, that was not known of the account.',
  subject: 'A new login to your account',
  what: 'somebody logged in to your account {{ detail }}.',
  detail: 'with a browser that is new to it',
})

export const sessionLimitNotice = notice({
  key: 'session_limit',
  about: 'To somebody who has as many logins open as an account may have: the oldest ended. One a day at most.',
  subject: 'Your oldest session was ended',
  what: 'your account has as many sessions open as there may be ({{ detail }}), so a new login ended the one used longest ago.',
  detail: '50',
})

export const passwordChangedNotice = notice({
  key: 'own_password_changed',
  about: 'To somebody whose password was changed, by themselves or by an Admin.',
  subject: 'Your password was changed',
  what: 'the password of your account was changed{{ detail }}.',
  detail: '',
})
