// The commands, in the order of the list. One more is one entry here and, where it takes more than a few lines, a file beside this one.
// What a command needs is imported when it runs: `tandem help` does not load a server.

import { backup } from './backup_command.ts'
import type { Command } from './command.ts'
import { doctor } from './doctor_command.ts'
import { auditVerify, passwords } from './offline_commands.ts'
import { accounts, assignNumber, organization, resetPassword } from './people_commands.ts'
import { ready } from './ready_command.ts'
import { restore } from './restore_command.ts'
import { rotate } from './rotate_command.ts'
import { sending } from './sending_command.ts'
import { calls, demo, migrate, openapi, start, version } from './server_commands.ts'

export const commands: readonly Command[] = [
  start,
  demo,
  migrate,
  backup,
  restore,
  sending,
  rotate,
  doctor,
  ready,
  organization,
  resetPassword,
  accounts,
  assignNumber,
  auditVerify,
  passwords,
  openapi,
  version,
  calls,
]
