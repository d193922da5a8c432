// All answers, in the order of the standard.
import type { Chapter } from './answer.ts'
import { chapters1and2 } from './v01_02.ts'
import { chapters3to5 } from './v03_05.ts'
import { authentication } from './v06.ts'
import { chapters7to9 } from './v07_09.ts'
import { oauth } from './v10.ts'
import { chapters11to13 } from './v11_13.ts'
import { chapters14to17 } from './v14_17.ts'

export const chapters: readonly Chapter[] = [
  ...chapters1and2,
  ...chapters3to5,
  authentication,
  ...chapters7to9,
  oauth,
  ...chapters11to13,
  ...chapters14to17,
]
