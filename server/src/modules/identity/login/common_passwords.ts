// Words that the most used passwords are made of, in lower case and without the digits and marks people put around
// them: password_rules.ts looks through those, and knows number rows, keyboard walks and repeats by itself.

export const commonWords: readonly string[] = `
  password passwort passwd passcode passphrase secret admin administrator root user username guest login logon welcome
  default changeme letmein master hello test tester testing temp temporary demo sample example tandem
  iloveyou ilove loveyou love lovely lover baby babygirl babyboy angel heart sweet sweety sweetheart forever friends
  family mother father sister brother daddy mommy jesus christ blessed faith heaven
  monkey dragon football baseball basketball soccer hockey tennis golf superman batman spiderman ironman pokemon
  pikachu starwars naruto sasuke minecraft fortnite roblox gamer player ninja samurai warrior
  sunshine princess shadow michael jennifer jordan hunter ranger buster thomas robert charlie andrew daniel george
  matthew joshua ashley nicole jessica michelle amanda anthony william justin jonathan samantha david james john alex
  maria anna martin peter oliver sophie natasha victoria taylor hannah morgan nathan austin dakota melissa patrick
  richard steven stephen edward christian benjamin alexander elizabeth carlos juan antonio francesco giovanni
  summer winter spring autumn freedom whatever trustno access nothing something
  computer internet server database oracle cisco google facebook linkedin twitter amazon apple microsoft windows linux
  ubuntu android samsung nokia motorola adobe photoshop myspace yahoo hotmail gmail
  money dollar cookie cheese pepper ginger banana orange chocolate strawberry flower butterfly rainbow unicorn
  purple yellow silver golden diamond crystal black white green blue
  killer fuckyou fuck fucker asshole pussy sexy bitch hottie
  mustang harley corvette ferrari porsche mercedes yamaha honda toyota phoenix eagle tiger lion panther wolf falcon
  scooter maggie bailey buddy rocky lucky happy smile smiley peanut tigger snoopy mickey donald garfield scooby sparky
  cowboys steelers yankees lakers redsox eagles arsenal chelsea liverpool barcelona juventus madrid
  london berlin paris america canada dallas texas newyork chicago california
  matrix merlin gandalf trinity apollo zeus thunder lightning
  company business office manager sales finance customer support service system network security private public
  coffee beer whiskey music guitar rockstar metal dance
  monday tuesday wednesday thursday friday saturday sunday january february march april june july august september
  october november december
`
  .trim()
  .split(/\s+/)
