// What people are sent about their second factors.
import { notice } from '../notices/index.ts'

export const factorAddedNotice = notice({
  key: 'factor_added',
  about: 'To somebody to whose account a second factor was added.',
  subject: 'A second factor was added to your account',
  what: '{{ detail }} was added to your account as a second factor.',
  detail: 'an app that makes codes',
})

export const factorRemovedNotice = notice({
  key: 'factor_removed',
  about: 'To somebody of whose account a second factor was removed.',
  subject: 'A second factor was removed from your account',
  what: 'the second factor {{ detail }} was removed from your account.',
  detail: 'Phone',
})

export const recoveryCodesNotice = notice({
  key: 'recovery_codes_made',
  about: 'To somebody for whose account recovery codes were made in place of those there were.',
  subject: 'New recovery codes for your account',
  what: 'new recovery codes were made for your account{{ detail }}. Those there were before do not work any more.',
  detail: '',
})

export const passkeyClonedNotice = notice({
  key: 'passkey_cloned',
  about:
    'To somebody whose passkey was used by a device that counts less than another has with the same key. One a day at most.',
  subject: 'A copy of your passkey was refused',
  what:
    'your passkey {{ detail }} was refused: it had been used further than the device that used it now knows of, so there may be a ' +
    'copy of it. Remove this passkey from your account and add a new one.',
  detail: 'Laptop',
})
