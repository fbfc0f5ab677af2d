package dev.sotto.learner.release;

import java.util.Optional;

/** The checkpoints of the open round: each builds on the one before, until its key changes. */
final class RoundCheckpoints {
  private final RunningDigest history;
  private Optional<SealedRoundSum> last = Optional.empty();

  RoundCheckpoints(RunningDigest history) {
    this.history = history;
  }

  /** What follows has another key, or another sum. */
  void forget() {
    last = Optional.empty();
  }

  /** {@link Releaser#seal}. */
  byte[] write(
      OpenSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts,
      byte[] content,
      byte[] place,
      PageTable table,
      int pageBytes) {
    SealedRoundSum now = last.filter(each -> each.isOf(pageBytes))
        .orElseGet(
            () -> SealedRoundSum.start(history.seal(), sum.numbers().length, pageBytes, table));
    last = Optional.of(now);
    return now.write(sum, metrics, counts, content, place, table);
  }

  /** {@link Releaser#unseal}, under the key that sealed it. */
  byte[] read(
      byte[] head,
      byte[] place,
      PageTable table,
      OpenSum sum,
      Optional<ClippedSum> metrics,
      Optional<RangeCounts> counts) {
    SealedRoundSum.Opened opened =
        SealedRoundSum.read(history.seal(), head, place, table, sum, metrics, counts);
    last = Optional.of(opened.round());
    return opened.content();
  }
}
