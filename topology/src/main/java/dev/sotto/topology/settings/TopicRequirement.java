package dev.sotto.topology.settings;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * What one topic of a learner must be, and who has to do with it.
 *
 * @param topic its name
 * @param partitions how many it must have
 * @param settings what it is created with, and must have; some at least, see {@link #isMet}
 * @param outside whether it lies outside the trust boundary: published for everybody who may read
 *     it
 * @param holds what is in it, in one phrase
 * @param access who writes and reads it
 */
public record TopicRequirement(
    String topic,
    Count partitions,
    SortedMap<String, String> settings,
    boolean outside,
    String holds,
    Access access) {
  private static final Set<String> AT_LEAST =
      Set.of("min.compaction.lag.ms", "max.message.bytes", TopicSettings.DELETIONS);
  private static final String RETENTION = "retention.";
  private static final String SEGMENT = "segment.bytes";
  private static final String FOREVER = "-1";

  /** How many partitions a topic must have. */
  public enum Count {
    /** One. */
    ONE("1"),
    /** As many as the event topic has. */
    AS_EVENTS("as many as the event topic"),
    /** Created with as many as the event topic has; any number is as good. */
    ANY("any number; created with as many as the event topic"),
    /** The users choose. */
    YOURS("yours to choose");

    private final String rule;

    Count(String rule) {
      this.rule = rule;
    }

    /** The rule in words. */
    public String rule() {
      return rule;
    }

    /** The number where the event topic has a number of partitions. */
    public int of(int eventPartitions) {
      return this == ONE ? 1 : eventPartitions;
    }
  }

  /** Who reads or writes a topic. */
  public enum Party {
    /** Whoever sends events: not part of a learner. */
    PRODUCERS("your producers", false),
    /** The tasks that join events with labels that come later. */
    JOINER("join of labels", true),
    /** The task that announces how far the events have come: the trainer's. */
    ANNOUNCER("announcer", true),
    /** The tasks that sum slices of rounds. */
    WORKER("worker", true),
    /** The task that closes rounds summed by workers. */
    COORDINATOR("coordinator", true),
    /** The tasks that close rounds. */
    TRAINER("train", true),
    /** Whoever uses what is published. */
    READERS("readers of published data", false),
    /** People and tools inside the trust boundary. */
    OPERATORS("operators, inside", false);

    private final String words;
    private final boolean learner;

    Party(String words, boolean learner) {
      this.words = words;
      this.learner = learner;
    }

    /** Who that is. */
    public String words() {
      return words;
    }

    /** Whether the learner does it under its own principal. */
    public boolean isLearner() {
      return learner;
    }
  }

  public TopicRequirement {
    settings = Collections.unmodifiableSortedMap(new TreeMap<>(settings));
  }

  /** Who writes a topic and who reads it. */
  public record Access(Set<Party> writers, Set<Party> readers) {
    public Access {
      writers = Collections.unmodifiableSet(writers);
      readers = Collections.unmodifiableSet(readers);
    }
  }

  /** Who writes it. */
  public Set<Party> writers() {
    return access.writers();
  }

  /** Who reads it. */
  public Set<Party> readers() {
    return access.readers();
  }

  /** Whether a setting that the topic has is enough; one that nobody asked for always is. */
  public boolean isMet(String name, String has) {
    String needed = settings.get(name);
    if (needed == null || needed.equals(has) || isProposal(name, needed)) {
      return true;
    }
    return AT_LEAST.contains(name) && Long.parseLong(has) >= Long.parseLong(needed);
  }

  /**
   * Whether a topic is created with a setting, and any other value is as good: what bounds its size
   * is yours to change, but for what must be kept for ever.
   */
  public static boolean isProposal(String name, String value) {
    return name.equals(SEGMENT) || name.startsWith(RETENTION) && !value.equals(FOREVER);
  }

  /** Whether a larger value of a setting is as good. */
  public static boolean isLeast(String name) {
    return AT_LEAST.contains(name);
  }

  /** Whether a number of partitions is right, beside the number of the event topic. */
  public boolean isMet(int found, int eventPartitions) {
    return partitions == Count.ANY
        || partitions == Count.YOURS
        || found == partitions.of(eventPartitions);
  }

  /** Whether the learner itself writes it. */
  public boolean isWritten() {
    return writers().stream().anyMatch(Party::isLearner);
  }

  /** Whether the learner itself reads it. */
  public boolean isRead() {
    return readers().stream().anyMatch(Party::isLearner);
  }

  /**
   * The topic as it is to be created.
   *
   * @param replication -1 for the broker's default
   */
  public NewTopic fresh(int eventPartitions, short replication) {
    int count = partitions.of(eventPartitions);
    NewTopic fresh = replication < 0
        ? new NewTopic(topic, Optional.of(count), Optional.empty())
        : new NewTopic(topic, count, replication);
    return fresh.configs(settings);
  }

  /** Some of them. */
  public static Set<Party> parties(Party... some) {
    Set<Party> all = EnumSet.noneOf(Party.class);
    all.addAll(Arrays.asList(some));
    return all;
  }
}
