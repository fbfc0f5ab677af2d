package dev.sotto.testkit;

import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongFunction;
import org.opentest4j.AssertionFailedError;

/**
 * Runs a learner over the same events again and again, each time under another schedule of crashes,
 * aborted transactions, rebalances, commits and pauses, and asserts that it publishes the same
 * bytes every time: ledger, snapshots, metrics and dead letters.
 *
 * <p>In layout {@code ordered} the order of several partitions' events is a matter of chance, and
 * what is published follows from it. There every schedule is compared with an undisturbed run over
 * the order that it made, which must announce every event.
 */
public final class FaultSchedules {
  private final LearnerSettings settings;
  private final Recording recording;
  private Recording labels; // null where the events hold them
  private long first;
  private int count = 50;
  private LongFunction<FaultRates> faults = FaultRates::many;

  private FaultSchedules(LearnerSettings settings, Recording recording) {
    this.settings = settings;
    this.recording = recording;
  }

  /** 50 schedules, of seeds 0 to 49. */
  public static FaultSchedules of(LearnerSettings settings, Recording events) {
    return new FaultSchedules(settings, events);
  }

  /**
   * A number of schedules from a seed on; a failure names its seed, so that it can be repeated
   * alone.
   */
  public FaultSchedules seeds(long newFirst, int newCount) {
    if (newCount < 1) {
      throw new IllegalArgumentException("at least 1 schedule is needed, but was " + newCount);
    }
    first = newFirst;
    count = newCount;
    return this;
  }

  /**
   * With labels in a recording of their own, by the times at which both were appended. Every
   * schedule must join them as an undisturbed run does, record by record, and publish what one
   * publishes over what it joined.
   */
  public FaultSchedules labels(Recording recorded) {
    labels = recorded;
    return this;
  }

  /** How often each kind of fault occurs, by seed. */
  public FaultSchedules faults(LongFunction<FaultRates> newFaults) {
    faults = newFaults;
    return this;
  }

  /**
   * What happened in all schedules together.
   *
   * @param schedules that were run
   * @param rounds that an undisturbed run publishes; of {@code ordered} the last schedule's
   */
  public record Summary(
      int schedules, int rounds, int crashes, int aborts, int rebalances, int commits) {}

  /**
   * Runs them all.
   *
   * @throws AssertionError where two differ, with the seed and the first difference
   */
  public Summary assertSameOutput() {
    Comparison comparison = new Comparison();
    for (long seed = first; seed < first + count; seed++) {
      comparison.run("the schedule of seed " + seed, faults.apply(seed), seed);
    }
    return comparison.summary();
  }

  /**
   * Runs one schedule for every record and kind of fault: a crash, an abort and a rebalance right
   * behind each record that any task takes.
   *
   * @throws AssertionError where two differ, with the fault, its place and the first difference
   */
  public Summary assertSameOutputForEachFault() {
    Comparison comparison = new Comparison();
    for (FaultRates.Kind kind : FaultRates.Kind.values()) {
      int turns = 1;
      for (int turn = 1; turn <= turns; turn++) {
        String name =
            "a schedule with one fault (" + kind + " at turn " + turn + ", seed " + first + ")";
        turns = Math.max(
            turns, comparison.run(name, FaultRates.only(kind, turn), first).turns());
      }
    }
    return comparison.summary();
  }

  /** Compares every run with an undisturbed one. */
  private final class Comparison {
    private PublishedBytes expected = labels == null ? undisturbed(recording, null) : null;
    private final Recording joined = labels == null ? null : joined();
    private int schedules;
    private int crashes;
    private int aborts;
    private int rebalances;
    private int commits;

    FaultyRun.Report run(String name, FaultRates suffered, long seed) {
      PublishedBytes published = new PublishedBytes();
      FaultyRun run = new FaultyRun(settings, input(), published, suffered, seed);
      FaultyRun.Report report;
      try {
        report = run.run();
      } catch (RuntimeException | AssertionError thrown) {
        throw new AssertionFailedError(name + " failed: " + thrown, thrown);
      }
      Recording events = recording;
      if (labels != null) {
        events = run.labelled();
        LabelledTopics.requireSame(joined, events, name);
      }
      if (settings.layout().keepsOrder()) {
        requireEveryEvent(events, run.order(), name);
        expected = undisturbed(events, run.order());
      } else if (labels != null) {
        expected = undisturbed(events, null);
      }
      expected.requireSame(published, name);
      schedules++;
      crashes += report.crashes();
      aborts += report.aborts();
      rebalances += report.rebalances();
      commits += report.commits();
      return report;
    }

    Summary summary() {
      return new Summary(schedules, expected.rounds(), crashes, aborts, rebalances, commits);
    }
  }

  private RecordedInput input() {
    RecordedInput input = RecordedInput.of(recording);
    return labels == null ? input : input.labels(settings, labels);
  }

  private Recording joined() {
    FaultyRun run =
        new FaultyRun(settings, input(), new PublishedBytes(), FaultRates.none(), first);
    run.run();
    return run.labelled();
  }

  private PublishedBytes undisturbed(Recording events, Recording order) {
    PublishedBytes published = new PublishedBytes();
    Replay replay = new Replay(settings, events);
    if (order != null) {
      replay.order(order);
    }
    replay.run(published);
    return published;
  }

  private static void requireEveryEvent(Recording all, Recording order, String name) {
    Map<Integer, Long> ends = new HashMap<>();
    try (RecordCursor announced = order.open(0)) {
      while (announced.next()) {
        Announcement each = Codecs.ANNOUNCEMENT.decode(announced.value());
        ends.merge(each.partition(), each.end(), Math::max);
      }
    }
    for (RecordedRange range : all.header().ranges()) {
      try (RecordCursor events = all.open(range.partition())) {
        long due = range.from();
        while (events.next()) {
          due = events.offset() + 1;
        }
        long found = ends.getOrDefault(range.partition(), -1L);
        if (found < due) {
          throw new AssertionFailedError(name + " did not announce every event of partition "
              + range.partition() + ": the last announcement ends at " + found
              + ", where " + due + " was due");
        }
      }
    }
  }
}
