// The settings of backups: where they go, when, how many stay, and who can open them; and those of archived WAL.
import { Type } from 'typebox'

export const backupFields = {
  backupTo: Type.Optional(
    Type.String({
      variable: 'TANDEM_BACKUP_TO',
      shown: 'no backups by schedule',
      format: 'backup_place',
      description:
        'Where backups go: an existing folder (on another disk), or `s3://bucket/prefix` (with the keys of `TANDEM_S3_…`). A server with the role `worker` makes them by schedule.',
    }),
  ),
  backupSchedule: Type.String({
    variable: 'TANDEM_BACKUP_SCHEDULE',
    default: '17 2 * * *',
    format: 'cron',
    description: 'When a backup is made: a cron expression of five fields, in UTC.',
  }),
  backupKeep: Type.String({
    variable: 'TANDEM_BACKUP_KEEP',
    default: '7d 4w 12m',
    format: 'backup_keep',
    description:
      'Which backups stay: the newest of each of so many days, weeks and months. The others are removed after the next one.',
  }),
  backupRecipient: Type.Optional(
    Type.String({
      variable: 'TANDEM_BACKUP_RECIPIENT',
      format: 'age_recipient',
      description:
        'Public key of age that backups are encrypted for (`tandem backup keygen` makes a pair). The private key is needed only to restore: keep it elsewhere.',
    }),
  ),
  backupPassphraseFile: Type.Optional(
    Type.String({
      variable: 'TANDEM_BACKUP_PASSPHRASE_FILE',
      format: 'folder',
      description:
        'File whose first line is the passphrase that backups are encrypted with, where there is no public key.',
    }),
  ),
  walTo: Type.Optional(
    Type.String({
      variable: 'TANDEM_WAL_TO',
      shown: 'no archived WAL',
      format: 'folder',
      description:
        'An existing folder (on another disk) to which the embedded database archives all that it writes, with a base backup a day, so that it can be restored to any moment of the last hours: `tandem restore --to-time` (docs/backups.md).',
    }),
  ),
  walKeepHours: Type.Integer({
    variable: 'TANDEM_WAL_KEEP',
    default: 24,
    minimum: 1,
    maximum: 8_760,
    description: 'To how many of the last hours the database can be restored; what no such restore needs is removed.',
  }),
}
