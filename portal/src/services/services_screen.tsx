import { PageHeader } from '../ui/index.ts'

export function ServicesScreen() {
  return <PageHeader title="Services" />
}
