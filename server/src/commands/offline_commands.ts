// Commands about files, which need no database: exports of the audit log, and lists of known passwords.
import { loadConfig } from '../config/config.ts'
import { type Command, orAsJson } from './command.ts'

export const auditVerify: Command = {
  name: 'audit',
  parameters: 'verify <file> [--keys <jwks.json>]',
  summary: 'verify an export of the audit log: that nothing in it was changed',
  help: async () => (await import('../modules/audit/verify_command.ts')).auditUsage,
  run: call =>
    orAsJson(call, async ({ args, print }) => {
      const { auditCommand } = await import('../modules/audit/verify_command.ts')
      return auditCommand(args, print)
    }),
}

export const passwords: Command = {
  name: 'passwords',
  parameters: 'import <file> …|status|remove',
  summary: 'refuse the passwords of lists that guessers have',
  help: async () => (await import('../modules/identity/login/passwords_command.ts')).passwordsUsage,
  run: call =>
    orAsJson(call, async ({ args, env, print, complain }) => {
      const { passwordsCommand } = await import('../modules/identity/login/passwords_command.ts')
      return passwordsCommand(loadConfig(env).dataDir, args, { print, complain })
    }),
}
