import { PageHeader } from '../ui/index.ts'

export function CarriersScreen() {
  return <PageHeader title="Carriers" />
}
