// The software bill of materials of a release (CycloneDX 1.5): npm's list for server and portal, with Node and PostgreSQL, which npm counts
// among the packages it downloads them in, named as what they are, and without what differs from run to run.
import { createHash } from 'node:crypto'
import { runNpm } from './release_files.ts'

type Component = { type: string; name: string; version: string; [other: string]: unknown }
type Sbom = {
  serialNumber: string
  metadata: { timestamp: string; component: Component; [other: string]: unknown }
  components: Component[]
  [other: string]: unknown
}

export type SbomFacts = { version: string; nodeVersion: string; postgresVersion: string; madeAt: Date }

/** The list as JSON text. @param root the checkout, installed with `npm ci` */
export function sbomOf(root: string, { version, nodeVersion, postgresVersion, madeAt }: SbomFacts): string {
  const args = ['sbom', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application']
  const sbom = JSON.parse(runNpm(root, [...args, '--workspace=@tandem/server', '--workspace=@tandem/portal'])) as Sbom
  const runtimes: Component[] = [
    runtime('node', nodeVersion, `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`),
    runtime('postgresql', postgresVersion, `cpe:2.3:a:postgresql:postgresql:${postgresVersion}:*:*:*:*:*:*:*`),
  ]
  const components = [...runtimes, ...sbom.components]
  const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex')
  const serial = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`, `a${digest.slice(17, 20)}`]
  const whole: Sbom = {
    ...sbom,
    serialNumber: `urn:uuid:${serial.join('-')}-${digest.slice(20, 32)}`,
    metadata: {
      ...sbom.metadata,
      timestamp: madeAt.toISOString(),
      component: { ...sbom.metadata.component, type: 'application', name: 'tandem', version },
    },
    components,
  }
  return `${JSON.stringify(whole, null, 2)}\n`
}

function runtime(name: string, version: string, cpe: string): Component {
  return { 'bom-ref': `runtime:${name}@${version}`, type: 'application', name, version, scope: 'required', cpe }
}
