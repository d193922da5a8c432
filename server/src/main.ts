// The command line: `tandem <command>`. commands/table.ts lists the commands; `start` runs everything: database, migrations, API, workers.
import { runWords } from './commands/run.ts'
import { commands } from './commands/table.ts'

const exitCode = await runWords(commands, process.argv.slice(2), {
  env: process.env,
  isTerminal: process.stdout.isTTY === true,
  print: text => console.log(text),
  complain: text => console.error(text),
})
// What failed may have left something running behind it.
if (exitCode === 1) process.exit(1)
process.exitCode = exitCode
