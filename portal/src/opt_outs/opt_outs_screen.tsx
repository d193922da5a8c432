import { PageHeader } from '../ui/index.ts'

export function OptOutsScreen() {
  return <PageHeader title="Opt-outs" />
}
