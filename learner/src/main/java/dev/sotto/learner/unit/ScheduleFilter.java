package dev.sotto.learner.unit;

import dev.sotto.learner.privacy.Generations;
import java.nio.ByteBuffer;

/** At most so many rounds of a unit over all generations, so far apart. History: last round, count. */
final class ScheduleFilter implements Admission {
  private static final int VERSION = 2;

  private final Contributions bound;
  private final HistoryLayout layout;

  ScheduleFilter(Contributions bound, Generations generations) {
    this.bound = bound;
    String plan = new Participation.Scheduled(bound).describe() + " " + generations.describe();
    this.layout = new HistoryLayout(VERSION, 1, "scheduled", plan);
  }

  @Override
  public byte[] admit(byte[] history, long round) {
    HistoryLayout.checkRound(round);
    long count = 0;
    if (history != null) {
      ByteBuffer bytes = layout.open(history, round);
      long last = bytes.getLong();
      count = bytes.getLong();
      if (count >= bound.most() || round - last < bound.separation()) {
        return null;
      }
    }
    return layout.seal(layout.blank().putLong(round).putLong(count + 1));
  }
}
