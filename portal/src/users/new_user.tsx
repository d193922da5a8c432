// A user who is made at once, without an invitation; then their page is shown.
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../ui/index.ts'
import { t } from './texts.ts'
import { UserForm } from './user_form.tsx'

export function NewUser({ onClose }: { onClose(): void }) {
  const navigate = useNavigate()
  return (
    <UserForm
      onClose={onClose}
      onSaved={({ record }) => {
        toast({ text: t('created', { name: String(record['name']) }) })
        void navigate({ to: '/users/$id', params: { id: String(record.id) }, search: {}, replace: true })
      }}
    />
  )
}
