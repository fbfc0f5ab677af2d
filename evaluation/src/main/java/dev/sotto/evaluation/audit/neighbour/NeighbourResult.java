package dev.sotto.evaluation.audit.neighbour;

import java.util.ArrayList;
import java.util.List;

/**
 * What came of pairs of neighbouring logs.
 *
 * @param faults what must not be, a sentence each
 */
public record NeighbourResult(int pairs, Slots slots, Runs runs, List<String> faults) {
  /**
   * The slots of both logs of each pair.
   *
   * @param compared all of them
   * @param used of them, those that added something in either log
   * @param most of one model in which two logs differed
   * @param moved pairs of which a slot differed: the others were equal
   */
  public record Slots(long compared, long used, int most, int moved) {}

  /**
   * How the logs were read.
   *
   * @param restarts of tasks and instances, in all runs together
   * @param otherwise pairs whose logs were read in other pieces, or committed at other moments
   */
  public record Runs(long restarts, int otherwise) {}

  public NeighbourResult {
    faults = List.copyOf(faults);
  }

  /** Nothing yet. */
  static final NeighbourResult NONE =
      new NeighbourResult(0, new Slots(0, 0, 0, 0), new Runs(0, 0), List.of());

  /** Both together. */
  NeighbourResult plus(NeighbourResult more) {
    List<String> all = new ArrayList<>(faults);
    all.addAll(more.faults);
    return new NeighbourResult(
        pairs + more.pairs,
        new Slots(
            slots.compared + more.slots.compared,
            slots.used + more.slots.used,
            Math.max(slots.most, more.slots.most),
            slots.moved + more.slots.moved),
        new Runs(runs.restarts + more.runs.restarts, runs.otherwise + more.runs.otherwise),
        all);
  }
}
