package dev.sotto.learner.participation;

import java.nio.ByteBuffer;

/**
 * A bound on the rounds of a unit over all generations, and on how close they are. History: last
 * round, count.
 */
final class ScheduleFilter implements Admission {
  private static final int VERSION = 2;

  private final ContributionBound bound;
  private final HistoryFormat layout;

  ScheduleFilter(ContributionBound bound, GenerationSchedule generations) {
    this.bound = bound;
    String plan = new Participation.Scheduled(bound).describe() + " " + generations.describe();
    this.layout = new HistoryFormat(VERSION, 1, "scheduled", plan);
  }

  @Override
  public byte[] admit(byte[] history, long round) {
    HistoryFormat.checkRound(round);
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
