// What a process does when another has changed the secrets of the installation: `tandem rotate`, or a schedule.
import type { Authenticator } from './kernel/access/principal.ts'
import type { Instance } from './kernel/boot/instance.ts'
import type { Log } from './kernel/observe/log.ts'

/** Reads them; what was verified with the former ones, also while they were read, is verified again. */
export function readAgain(instance: Instance, authenticator: Pick<Authenticator, 'forget'>, log: Log): Promise<void> {
  return instance.reload().then(
    () => {
      authenticator.forget()
      log.info('the secrets of the installation were read again')
    },
    error => log.error({ err: error }, 'the secrets of the installation have changed, and could not be read'),
  )
}
