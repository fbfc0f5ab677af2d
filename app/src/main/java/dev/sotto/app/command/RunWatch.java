package dev.sotto.app.command;

import static dev.sotto.learner.description.FigureFormat.counted;

import dev.sotto.app.page.PublishedNow;
import dev.sotto.app.view.AliasText;
import dev.sotto.app.view.LedgerDescription;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.description.Section;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.topology.status.LifecyclePhase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Compares how a learner is with how it was, and says what has happened in between: where it is in
 * its life, which partitions it reads, new versions now and then, aliases. All of it is public.
 */
final class RunWatch {
  private static final long BETWEEN_VERSIONS = TimeUnit.MINUTES.toNanos(1);

  /** Looks at a running learner without a task after which it really has none. */
  private static final int SURE = 4;

  /**
   * A learner at one time.
   *
   * @param inputs partitions that it reads, by topic; empty unless all its tasks run
   */
  record Now(
      LifecyclePhase phase, SortedMap<String, SortedSet<Integer>> inputs, PublishedNow published) {}

  private final long since;
  private final String topic;
  private final RunEvents events;
  private final LongSupplier nanos;
  private final LearningRate rate;
  private SortedMap<String, SortedSet<Integer>> inputs = new TreeMap<>();
  private final Map<String, ModelAlias> aliases = new HashMap<>();
  private boolean ran;
  private int without;
  private boolean looked;
  private int partitions;
  private long said = Long.MIN_VALUE; // the time of the newest version with a line
  private Long saidAt;
  private boolean ended;

  /**
   * Before the first look.
   *
   * @param topic of the events
   * @param since in milliseconds since 1970: what was published before is not new
   */
  RunWatch(String topic, RunEvents events, LongSupplier nanos, long since) {
    this.since = since;
    this.topic = topic;
    this.events = events;
    this.nanos = nanos;
    this.rate = new LearningRate(nanos);
  }

  /** Looks, and says what is new. */
  void look(Now now) {
    if (now.phase() == LifecyclePhase.RUNNING) {
      tasks(now.inputs());
    }
    added(now.published().partitions());
    if (now.published().known()) {
      rate.at(now.published().learned());
      versions(now.published());
      moved(now.published().aliases());
    }
    events.now(forms(now));
  }

  private void tasks(SortedMap<String, SortedSet<Integer>> read) {
    if (read.isEmpty() && ran && ++without < SURE) {
      return; // perhaps between two rebalances
    }
    without = read.isEmpty() ? without : 0;
    if (!ran) {
      ran = true;
      events.tell(
          "running",
          read.isEmpty()
              ? "running, as a standby: other instances have all partitions"
              : "running: reads " + text(read),
          Section.untitled().fact("reads", read));
    } else {
      SortedMap<String, SortedSet<Integer>> taken = without(read, inputs);
      SortedMap<String, SortedSet<Integer>> left = without(inputs, read);
      if (!taken.isEmpty()) {
        events.tell(
            "takeover",
            "takes over " + text(taken) + "; reads " + text(read),
            Section.untitled().fact("taken", taken).fact("reads", read));
      }
      if (!left.isEmpty()) {
        events.tell(
            "handover",
            "hands over " + text(left) + " to another instance; reads "
                + (read.isEmpty() ? "nothing now" : text(read)),
            Section.untitled().fact("left", left).fact("reads", read));
      }
    }
    inputs = read;
  }

  private static SortedMap<String, SortedSet<Integer>> without(
      SortedMap<String, SortedSet<Integer>> all, SortedMap<String, SortedSet<Integer>> known) {
    SortedMap<String, SortedSet<Integer>> rest = new TreeMap<>();
    all.forEach((name, numbers) -> {
      SortedSet<Integer> others = new TreeSet<>(numbers);
      others.removeAll(known.getOrDefault(name, new TreeSet<>()));
      if (!others.isEmpty()) {
        rest.put(name, others);
      }
    });
    return rest;
  }

  /** As in {@code points 0-3; minimal.order 0}. */
  static String text(SortedMap<String, SortedSet<Integer>> read) {
    List<String> topics = new ArrayList<>();
    read.forEach((name, numbers) -> {
      List<String> ranges = new ArrayList<>();
      Integer first = null;
      for (int each : numbers) {
        first = first == null ? each : first;
        if (!numbers.contains(each + 1)) {
          ranges.add(first == each ? "" + each : first + "-" + each);
          first = null;
        }
      }
      topics.add(name + " " + String.join(", ", ranges));
    });
    return String.join("; ", topics);
  }

  private void added(int now) {
    if (partitions > 0 && now > partitions) {
      events.tell(
          "partitions",
          topic + " has " + counted(now, "partition") + " now, " + partitions + " before",
          Section.untitled().fact("partitions", now).fact("before", partitions));
    }
    partitions = Math.max(partitions, now);
  }

  /** The first, then one a minute at most, and the last. */
  private void versions(PublishedNow published) {
    PublishedNow.Version newest = published.last().orElse(null);
    if (newest == null || !looked) {
      said = newest == null ? said : newest.time(); // was there before
      looked = true;
    }
    if (newest == null) {
      return;
    }
    long now = nanos.getAsLong();
    boolean last = newest.entry().last() && !ended && published.versions().size() == 1;
    boolean due = saidAt == null || now - saidAt >= BETWEEN_VERSIONS || last;
    if (newest.time() > said && due) {
      said = newest.time();
      saidAt = now;
      LedgerEntry entry = newest.entry();
      events.tell(
          "version",
          "published "
              + String.join(", ", RunFigures.of(newest, published, rate).words()),
          Section.untitled()
              .fact("model", entry.modelId())
              .fact("version", entry.round())
              .fact("slots", entry.slots())
              .fact("epsilon", entry.guarantee().epsilon())
              .fact("loss", newest.loss())
              .fact("eventsPerSecond", rate.perSecond())
              .fact(
                  "waiting",
                  published.waiting().isPresent() ? published.waiting().getAsLong() : null));
    }
    if (last) {
      ended = true;
      events.tell(
          "spent",
          "this version is the last: " + LedgerDescription.why(newest.entry())
              + "; nothing more is learned");
    }
  }

  private void moved(Map<String, ModelAlias> now) {
    now.forEach((name, alias) -> {
      ModelAlias before = aliases.put(name, alias);
      boolean isNew =
          before == null ? alias.newest().time() >= since : !before.newest().equals(alias.newest());
      if (isNew) {
        String note = alias.newest().note();
        events.tell(
            "alias",
            "alias " + AliasText.line(alias) + (note.isEmpty() ? "" : ": " + note),
            Section.untitled()
                .fact("alias", name)
                .fact("names", alias.target().map(Object::toString).orElse(null))
                .fact("by", alias.newest().by()));
      }
    });
  }

  private List<String> forms(Now now) {
    String phase = now.phase().name().toLowerCase(Locale.ROOT);
    return now.published()
        .last()
        .map(each -> RunFigures.of(each, now.published(), rate).forms(phase))
        .orElseGet(() -> List.of(phase + " | no version yet", phase));
  }
}
