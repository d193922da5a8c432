// The ring of the phone, made of two tones: two seconds of it, four of silence. A browser that was not touched yet plays nothing; then
// the call is seen only.

export function startRinging(): () => void {
  const context = new AudioContext()
  const volume = context.createGain()
  volume.gain.value = 0
  volume.connect(context.destination)
  const tones = [440, 480].map(frequency => {
    const tone = context.createOscillator()
    tone.frequency.value = frequency
    tone.connect(volume)
    tone.start()
    return tone
  })
  const burst = () => {
    const at = context.currentTime
    volume.gain.setTargetAtTime(0.12, at, 0.02)
    volume.gain.setTargetAtTime(0, at + 2, 0.02)
  }
  burst()
  const timer = setInterval(burst, 6_000)
  return () => {
    clearInterval(timer)
    for (const tone of tones) tone.stop()
    void context.close()
  }
}
