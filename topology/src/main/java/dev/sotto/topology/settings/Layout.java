package dev.sotto.topology.settings;

import dev.sotto.learner.description.Section;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Who cuts the rounds; the learning step is the same. Whoever needs to know asks what a layout is
 * like, and never which one it is. Its topics and processors are those of its {@code
 * LayoutTopology}.
 */
public enum Layout {
  /** The trainer reads the event topic itself: one model or many, each at home in one partition. */
  DIRECT(
      "direct", "one model per partition, key or header (or one over a topic of one partition)") {
    @Override
    public Optional<Misfit> misfit(LearnerSettings settings, int partitions) {
      return partitions == 1 || !needsOnePartition(settings)
          ? Optional.empty()
          : Optional.of(new Misfit(
              "1 partition in layout " + configName() + " with model.id.source constant",
              "set layout: ordered (one model over all partitions), or model.id.source: partition,"
                  + " key or header"));
    }

    @Override
    public boolean needsOnePartition(LearnerSettings settings) {
      return settings.modelIds().source() == ModelIdRule.Source.CONSTANT;
    }
  },

  /**
   * The committed ends of the partitions are announced; the announcements put all slots in one
   * order, which defines one model.
   */
  ORDERED(
      "ordered",
      "one model over all partitions of the event topic",
      Trait.SPANS_PARTITIONS,
      Trait.KEEPS_ORDER) {
    @Override
    public List<String> topics(String app) {
      return List.of(Names.order(app));
    }
  },

  /**
   * One worker a partition sums its slice of each round, and one coordinator adds the sums: one
   * model.
   */
  ROUNDS(
      "rounds",
      "one model over all partitions whose slices are summed in parallel, for few, large rounds"
          + " (docs/rounds.md)",
      Trait.SPANS_PARTITIONS,
      Trait.SUMS_PARTS) {
    @Override
    public List<String> topics(String app) {
      return List.of(Names.control(app), Names.sums(app));
    }

    @Override
    public Optional<Misfit> misfit(LearnerSettings settings, int partitions) {
      long batch = settings.plan().batch();
      if (batch % partitions == 0) {
        return Optional.empty();
      }
      boolean blocks = settings.plan().learnsFromBlocks();
      String key = blocks ? "block.slots" : "batch.size";
      return Optional.of(new Misfit(
          "in layout " + configName() + ", which takes as many slots of each partition in every "
              + (blocks ? "block" : "round") + ", a divisor of " + key + ", which is " + batch,
          "set " + key + " to a multiple of " + partitions));
    }
  };

  private enum Trait {
    SPANS_PARTITIONS,
    KEEPS_ORDER,
    SUMS_PARTS
  }

  /**
   * Why it cannot learn from a number of partitions.
   *
   * @param must what there must be instead
   * @param fix what to do
   */
  public record Misfit(String must, String fix) {}

  private final String configName;
  private final String learns;
  private final Set<Trait> traits = EnumSet.noneOf(Trait.class);

  Layout(String configName, String learns, Trait... traits) {
    this.configName = configName;
    this.learns = learns;
    this.traits.addAll(List.of(traits));
  }

  /** The name in configurations. */
  public String configName() {
    return configName;
  }

  /** What there is to say of it. */
  public Section describe() {
    return Section.untitled().fact("layout", configName, "layout " + configName + ": " + learns);
  }

  /** What auto takes. */
  static Layout usual(ModelIdRule.Source ids) {
    return ids == ModelIdRule.Source.CONSTANT ? ORDERED : DIRECT;
  }

  /** What they learn, all of them, for the manual. */
  static String manual() {
    return Arrays.stream(values())
        .map(each -> "`" + each.configName + "` learns " + each.learns)
        .collect(Collectors.joining(", "));
  }

  /** The names of those of which something holds. */
  static String names(Predicate<Layout> rule) {
    return Arrays.stream(values())
        .filter(rule)
        .map(Layout::configName)
        .collect(Collectors.joining(" and "));
  }

  /**
   * Whether one model learns from the slots of all partitions, and a ledger entry names ranges of
   * each; else every model is at home in one partition.
   */
  public boolean spansPartitions() {
    return traits.contains(Trait.SPANS_PARTITIONS);
  }

  /**
   * Whether announcements in a topic of their own say which slot is which: they are a part of the
   * model, and go on where partitions are added.
   */
  public boolean keepsOrder() {
    return traits.contains(Trait.KEEPS_ORDER);
  }

  /**
   * Whether slices of a round are summed in several places that wait for each other, from offsets
   * on that are written down as the model begins; none of them knows a unit's history.
   */
  public boolean sumsParts() {
    return traits.contains(Trait.SUMS_PARTS);
  }

  /** Whether the trainer reads the events themselves, and not what other tasks make of them. */
  public boolean readsEvents() {
    return topics("").isEmpty();
  }

  /**
   * The topics between its own tasks, inside the trust boundary; the last is what the trainer
   * reads.
   */
  public List<String> topics(String app) {
    return List.of();
  }

  /** Every topic that belongs to a learner, in whatever layout: nobody else may write to it. */
  public static Set<String> ownTopics(String app) {
    Set<String> own = new HashSet<>(Names.ofEveryLayout(app));
    Arrays.stream(values()).forEach(each -> own.addAll(each.topics(app)));
    return own;
  }

  /** Partitions in which models are at home, each with a trainer of its own. */
  public int homes(int eventPartitions) {
    return spansPartitions() ? 1 : eventPartitions;
  }

  /** The home of what is learned from an event partition. */
  public int home(int eventPartition) {
    return spansPartitions() ? 0 : eventPartition;
  }

  /** What is wrong with a number of partitions of the events; nothing where it is right. */
  public Optional<Misfit> misfit(LearnerSettings settings, int partitions) {
    return Optional.empty();
  }

  /** The largest number of partitions of the events, up to a bound, that it can learn from. */
  public int mostPartitions(LearnerSettings settings, int bound) {
    int partitions = bound;
    while (misfit(settings, partitions).isPresent()) {
      partitions--; // all can learn from one
    }
    return partitions;
  }

  /** Whether the events must lie in one partition. */
  public boolean needsOnePartition(LearnerSettings settings) {
    return false;
  }

  /** Why auto takes it. */
  public String why() {
    return spansPartitions()
        ? "one model learns from all partitions, also from those that are added"
        : "each model is at home in one partition";
  }

  /** Refuses settings that it cannot learn by. */
  void check(LearnerSettings.Events events, LearnerSettings.Run run) {
    ModelIdRule.Source ids = events.modelIds().source();
    if (spansPartitions() && ids != ModelIdRule.Source.CONSTANT) {
      throw new IllegalArgumentException("layout " + configName
          + " learns one model: the model id must be constant, but comes from "
          + ids.configName());
    }
    if (!sumsParts()) {
      return;
    }
    if (events.labels().isPresent()) {
      throw new IllegalArgumentException("layout " + configName
          + " begins its first round at offsets of the event topic that are there at the start, and"
          + " events with labels that come later are not: take layout ordered");
    }
    if (run.candidates().number() > 1) {
      throw new IllegalArgumentException(
          "layout " + configName + " learns one model, but there are "
              + run.candidates().number() + " candidates: " + run.candidates().names());
    }
    if (run.plan().account().admission().isPresent()) {
      throw new IllegalArgumentException("layout " + configName
          + " sums slices apart, without histories of units: participation must be once, but was "
          + run.plan().participation().describe());
    }
  }
}
