// The way to a new invoice for a person or company, for who bills customers.
import { ReceiptText } from 'lucide-react'
import { useSession } from '../../session/session.ts'
import { ButtonLink, type ButtonVariant } from '../../ui/index.ts'
import { t } from './texts.ts'

export function BillButton({ recordId, variant }: { recordId: string; variant?: ButtonVariant }) {
  const { permissions } = useSession()
  if (!permissions.has('invoices:create')) return null
  return (
    <ButtonLink
      to="/invoices"
      search={{ create: '1', with: recordId }}
      // For who makes no calls it is what comes next.
      variant={variant ?? (permissions.has('phone:use') ? 'secondary' : 'primary')}
      icon={<ReceiptText size={14} />}
    >
      {t('bill')}
    </ButtonLink>
  )
}
