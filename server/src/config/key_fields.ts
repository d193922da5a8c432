// The settings of keys: where the root key of the installation comes from, and how long a signing key is used.
import { Type } from 'typebox'

export const keyFields = {
  rootKeyFile: Type.Optional(
    Type.String({
      variable: 'TANDEM_ROOT_KEY_FILE',
      shown: '`instance.key` in the data folder, made at the first start',
      format: 'folder',
      description:
        'File with the root key, which seals the secrets of this installation in the database: 32 bytes in base64 or hexadecimal (docs/keys.md). All nodes on one database need the same.',
    }),
  ),
  rootKey: Type.Optional(
    Type.String({
      variable: 'TANDEM_ROOT_KEY',
      minLength: 43,
      maxLength: 1_024,
      secret: true,
      description: 'The root key itself, in place of a file.',
    }),
  ),
  rootKeyCommand: Type.Optional(
    Type.String({
      variable: 'TANDEM_ROOT_KEY_COMMAND',
      minLength: 1,
      maxLength: 4_096,
      description:
        'Program that prints the root key, in place of a file: run without a shell, its words parted at blanks, for 30 seconds at most.',
    }),
  ),
  signingKeyDays: Type.Integer({
    variable: 'TANDEM_SIGNING_KEY_DAYS',
    default: 90,
    minimum: 0,
    maximum: 3_650,
    description:
      'Days after which the key that signs access tokens is replaced by itself, published a day ahead; 0: never.',
  }),
}
