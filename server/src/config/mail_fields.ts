// The settings of mail: how it leaves, and how much of it.
import { Type } from 'typebox'

export const mailFields = {
  smtpUrl: Type.Optional(
    Type.String({
      variable: 'TANDEM_SMTP_URL',
      shown: 'mails stay in the outbox, where the portal shows them',
      format: 'smtp_url',
      secret: true,
      description:
        'Mail server for the mails of organizations without a transport of their own: `smtps://user:password@mail.example.com` (TLS, port 465) or `smtp://…` (STARTTLS, port 587; without TLS to private addresses only).',
    }),
  ),
  mailFrom: Type.Optional(
    Type.String({
      variable: 'TANDEM_MAIL_FROM',
      shown: '`tandem@` and the host of `TANDEM_PUBLIC_URL`',
      format: 'mailbox',
      maxLength: 300,
      description: 'Who mails are from where the organization has no sender: `Example Company <office@example.com>`.',
    }),
  ),
  mailPerMinute: Type.Integer({
    variable: 'TANDEM_MAIL_PER_MINUTE',
    default: 100,
    minimum: 1,
    maximum: 1_000_000,
    description: 'Mails of an organization that leave in a minute; further ones wait.',
  }),
  mailPerDay: Type.Integer({
    variable: 'TANDEM_MAIL_PER_DAY',
    default: 2_000,
    minimum: 1,
    maximum: 100_000_000,
    description: 'Mails of an organization that leave in a day (UTC); further ones are refused.',
  }),
  mailPort: Type.Optional(
    Type.Integer({
      variable: 'TANDEM_MAIL_PORT',
      shown: 'no mail is taken in over SMTP',
      minimum: 0,
      maximum: 65_535,
      description:
        'Port on which mail servers hand mail in over SMTP, such as 25; 0 takes any free port. Listens on `HOST`, in processes with the role `worker`, and needs `TANDEM_MAIL_DOMAIN`.',
    }),
  ),
  mailDomain: Type.Optional(
    Type.String({
      variable: 'TANDEM_MAIL_DOMAIN',
      shown: 'answers go to the sender of a mail',
      format: 'host',
      description:
        'Domain whose mail comes to this server, by its MX row: `in.example.com`. Conversations get an address there that answers are known by.',
    }),
  ),
  mailTlsCert: Type.Optional(
    Type.String({
      variable: 'TANDEM_MAIL_TLS_CERT',
      shown: 'no STARTTLS',
      format: 'folder',
      description: 'File with the certificate of that SMTP server and those that lead to it, in PEM form.',
    }),
  ),
  mailTlsKey: Type.Optional(
    Type.String({
      variable: 'TANDEM_MAIL_TLS_KEY',
      format: 'folder',
      description: 'File with the key of that certificate, in PEM form.',
    }),
  ),
}
