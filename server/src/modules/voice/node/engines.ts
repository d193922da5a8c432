// The engines of a node, and which of them carries a call.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { EngineHost, VoiceEngine, VoiceEngineMaker } from '../engine/index.ts'

type CarriedBy = VoiceEngine['carries'][number]

/** As long as the process. */
export class Engines {
  readonly all: readonly VoiceEngine[]

  constructor(services: Services, makers: readonly VoiceEngineMaker[]) {
    this.all = makers.map(make => make(services))
  }

  named(name: string): VoiceEngine | undefined {
    return this.all.find(engine => engine.name === name)
  }

  /** The engine that carries such calls of a tenant: a real one that has something to carry them with, else a virtual one. */
  async carrying(tx: Tx, scope: Scope, mode: 'live' | 'test', by: CarriedBy = 'trunk'): Promise<VoiceEngine> {
    const fitting = this.all.filter(engine => (mode === 'live' || engine.virtual) && engine.carries.includes(by))
    // A real way to call comes before a virtual one.
    for (const engine of fitting.toSorted((a, b) => Number(a.virtual) - Number(b.virtual))) {
      if (await engine.serves(tx, scope, by)) return engine
    }
    throw new Error(`no voice engine carries ${mode} calls by ${by}`)
  }

  /** The engine whose own phone is called, in both modes. */
  inside(to: string): VoiceEngine | undefined {
    return this.all.find(engine => engine.inside?.(to) === true)
  }

  async start(hostOf: (engine: VoiceEngine) => EngineHost): Promise<void> {
    await Promise.all(this.all.map(engine => engine.start(hostOf(engine))))
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map(engine => engine.stop()))
  }
}
