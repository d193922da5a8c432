import { PageHeader } from '../ui/index.ts'

export function HandsetScreen() {
  return <PageHeader title="Handset" />
}
