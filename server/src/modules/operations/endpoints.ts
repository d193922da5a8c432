// How the server does: for Admins what concerns their organization, for the operator the installation as a whole.
import { findHold } from '../../kernel/backup/hold_store.ts'
import { endpoint, type Services } from '../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { lastBackup } from './backups_store.ts'
import {
  presentArchive,
  presentBacklog,
  presentCarrier,
  presentNode,
  presentOwnNode,
  presentQueue,
  presentStorage,
  presentTrunk,
} from './present.ts'
import {
  archiveFindings,
  backupFindings,
  databaseFindings,
  holdFindings,
  linkFindings,
  nodeFindings,
  overall,
  queueFindings,
  receiverFindings,
} from './rules.ts'
import { sampleOperatorStatus, sampleStatus } from './samples.ts'
import { OperatorStatus, Status } from './schemas.ts'
import {
  lastMigration,
  listAllNodes,
  listBacklog,
  listCarrierStatus,
  listDownLinks,
  listNodes,
  listSettings,
  listTrunkStatus,
  mailStatus,
  storageStatus,
  webhookStatus,
} from './status_store.ts'
import { readFigures } from './store.ts'

const getStatus = endpoint({
  id: 'status.get',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/status',
  name: 'Get the status',
  description:
    'How the server does for the organization, in the mode of the credential: processes and versions, what waits in queues, carriers, trunks, webhooks, mail and storage, and what of it asks for somebody.',
  permission: 'status:read',
  reply: Status,
  envelope: 'data',
  sample: { reply: sampleStatus },
  async handle({ tx, principal, services, now }) {
    const [hold, nodes, backlog, carriers, trunks, webhooks, mail, storage] = await Promise.all([
      findHold(services.db),
      listNodes(tx),
      listBacklog(tx, principal.tenantId),
      listCarrierStatus(tx, principal),
      listTrunkStatus(tx, principal),
      webhookStatus(tx, principal),
      mailStatus(tx, principal),
      storageStatus(tx, principal),
    ])
    const shown = {
      nodes: nodes.map(presentNode),
      queues: backlog.map(row => presentBacklog(row, now)),
      carriers: carriers.map(row => presentCarrier(row, now)),
      trunks: trunks.map(row => presentTrunk(row, now)),
    }
    const findings = [
      ...holdFindings(hold !== undefined),
      ...queueFindings(shown.queues),
      ...linkFindings(
        shown.carriers.map(one => ({ ...one, id: one.carrierId })),
        shown.trunks.map(one => ({ ...one, id: one.trunkId })),
      ),
      ...receiverFindings(
        webhooks.troubled,
        mail.mailboxes.filter(({ status }) => status === 'failing'),
      ),
    ]
    return {
      checkedAt: isoMs(now),
      state: overall(findings),
      findings,
      version: services.node.version,
      ...shown,
      webhooks: {
        enabled: webhooks.enabled,
        troubled: webhooks.troubled.map(({ id: webhookId, ...rest }) => ({ webhookId, ...rest })),
      },
      mail: {
        transports: mail.transports.map(({ id: transportId, ...rest }) => ({ transportId, ...rest })),
        mailboxes: mail.mailboxes.map(({ id: mailboxId, ...rest }) => ({ mailboxId, ...rest })),
      },
      storage: storage.map(presentStorage),
    }
  },
})

const getOperatorStatus = endpoint({
  id: 'operator_status.get',
  version: 'v2',
  category: 'Organization',
  method: 'GET',
  path: '/operator/status',
  name: 'Get the status of the installation',
  description:
    'How the whole installation does: processes with versions, disks and their last sign of life, queues, links of carriers and trunks, calls under way, the database, backups, archived WAL, and what of it asks for somebody. It shows no record.',
  permission: 'public',
  operator: 'support',
  transaction: 'none',
  reply: OperatorStatus,
  envelope: 'data',
  sample: { reply: sampleOperatorStatus },
  handle: ({ services, now }) => statusOfInstallation(services, now),
})

async function statusOfInstallation({ db, archive: watch }: Services, nowMs: number) {
  const [hold, figures, rows, downLinks, settings, schema, backup, archive] = await Promise.all([
    findHold(db),
    readFigures(db),
    listAllNodes(db),
    listDownLinks(db),
    listSettings(db),
    lastMigration(db),
    lastBackup(db),
    watch?.read(),
  ])
  const nodes = rows.map(presentOwnNode)
  const queues = figures.queues.map(queue => presentQueue(queue, nowMs))
  const { commits: _commits, rollbacks: _rollbacks, blocksHit, blocksRead, ...database } = figures.database
  const findings = [
    ...holdFindings(hold !== undefined),
    ...nodeFindings(nodes.map(node => ({ ...node, id: node.nodeId }))),
    ...databaseFindings(database, settings),
    ...queueFindings(queues),
    ...backupFindings(backup?.finishedAtMs, nowMs),
    ...archiveFindings(archive, nowMs),
  ]
  return {
    checkedAt: isoMs(nowMs),
    state: overall(findings),
    findings,
    nodes,
    queues,
    links: figures.links,
    downLinks: downLinks.map(({ organization_id: organizationId, ...link }) => ({ ...link, organizationId })),
    calls: figures.calls,
    database: {
      ...database,
      schema,
      cacheHitShare: blocksHit + blocksRead === 0 ? null : blocksHit / (blocksHit + blocksRead),
      settings,
    },
    backup: backup === undefined ? null : { finishedAt: isoMs(backup.finishedAtMs), sizeBytes: backup.sizeBytes },
    archive: archive === undefined ? null : presentArchive(archive),
  }
}

export const endpoints = [getStatus, getOperatorStatus]
