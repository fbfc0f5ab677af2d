package dev.sotto.topology.start;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.read.NewestVersions;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Reads a version and its cost from what a learner has published: whole versions of a whole ledger
 * only.
 */
public final class PublishedRun {
  private final Map<String, ?> clients;
  private final String app;
  private final Map<Integer, OffsetRange> learned = new TreeMap<>();
  private String eventTopicId = "";
  private LedgerEntry entry; // of the version
  private LedgerEntry newest;
  private long entries;

  /**
   * What one learner has published.
   *
   * @param clients Kafka client settings
   */
  public PublishedRun(Map<String, ?> clients, String app) {
    this.clients = clients;
    this.app = app;
  }

  /**
   * A version, with the records that its run has learned as far as the ledger tells.
   *
   * @param version its number; empty for the newest
   * @throws SottoException where it is not there whole, or the ledger does not hold
   */
  public StartingModel version(OptionalLong version) {
    PublishedModel found = found(version);
    readLedger(found.manifest());
    if (entry == null) {
      throw unverified("the ledger " + Names.ledger(app) + " has no entry that confirms version "
          + found.manifest().version() + " of model " + found.manifest().modelId()
          + ": what it has cost is not known, so no run may begin there");
    }
    try {
      return new StartingModel(
          Names.snapshots(app) + "@" + entry.round(),
          found.manifest(),
          found.weights(),
          entry,
          newest,
          new StartingModel.Records(false, eventTopicId, List.copyOf(learned.values()), entries));
    } catch (IllegalArgumentException broken) {
      throw unverified(broken.getMessage());
    }
  }

  /**
   * How many entries a learner's ledger has, those of all models; 0 where it is not there.
   *
   * @param clients Kafka client settings
   */
  static long entries(Map<String, ?> clients, String app) {
    long[] count = {0};
    try (CommittedTopic topic = new CommittedTopic(clients, Names.ledger(app))) {
      topic.readToEnd(record -> count[0]++);
    } catch (SottoException missing) {
      if (missing.kind() != FailureKind.TOPIC) {
        throw missing;
      }
    }
    return count[0];
  }

  private PublishedModel found(OptionalLong version) {
    if (version.isPresent()) {
      return found(version.getAsLong());
    }
    try (NewestVersions topic = new NewestVersions(clients, Names.snapshots(app))) {
      return topic.ofPartitions().stream()
          .max(Comparator.comparingLong(each -> each.manifest().version())) // one has a model
          .orElseThrow(this::noVersion);
    }
  }

  private SottoException noVersion() {
    return unverified("topic " + Names.snapshots(app) + " holds no whole version of a model");
  }

  private PublishedModel found(long version) {
    SnapshotAssembler assembler = new SnapshotAssembler();
    Set<Long> versions = new TreeSet<>();
    PublishedModel[] chosen = new PublishedModel[1];
    try (CommittedTopic topic = new CommittedTopic(clients, Names.snapshots(app))) {
      topic.readToEnd(record -> assembler
          .acceptAny(record.key(), record.value())
          .ifPresent(each -> {
            long number = each.manifest().version();
            versions.add(number);
            if (version == number) {
              chosen[0] = each;
            }
          }));
    }
    if (versions.isEmpty()) {
      throw noVersion();
    }
    PublishedModel whole = chosen[0];
    if (whole == null) {
      throw unverified("topic " + Names.snapshots(app) + " holds no whole version "
          + version + ": it has " + shown(versions)
          + " (older ones are compacted away in time). Name one of these, or none for the newest");
    }
    return whole;
  }

  private static String shown(Collection<Long> versions) {
    List<Long> all = new ArrayList<>(versions);
    int first = Math.max(0, all.size() - 5);
    String newest = all.subList(first, all.size()).toString();
    return first == 0 ? newest : first + " older ones and " + newest;
  }

  /** Checks the whole ledger, and keeps what it says of the model. */
  private void readLedger(ModelSnapshot manifest) {
    LedgerChecker checker = new LedgerChecker();
    Set<String> topics = new TreeSet<>();
    Set<String> rangesLieIn = new TreeSet<>();
    try (CommittedTopic topic = new CommittedTopic(clients, Names.ledger(app))) {
      topic.readToEnd(record -> {
        LedgerEntry next = checker.accept(record.partition(), record.offset(), record.value());
        if (next == null) {
          return; // a fault
        }
        if (Arrays.equals(Sha256.sha256(record.value()), manifest.ledgerHash())) {
          entry = next;
        }
        newest = next;
        entries++;
        topics.add(header(record.headers(), Names.EVENT_TOPIC_ID));
        rangesLieIn.add(header(record.headers(), Names.RANGES_TOPIC_ID));
        next.ranges().forEach(range -> learned.merge(range.partition(), range, OffsetRange::span));
      });
    }
    if (!checker.faults().isEmpty()) {
      int more = checker.faults().size() - 1;
      throw unverified("the ledger " + Names.ledger(app)
          + " does not hold, so what its models have cost is not known: "
          + checker.faults().get(0) + (more == 0 ? "" : " (and " + more + " more)")
          + ". sotto ledger prints all of it");
    }
    if (checker.newest().size() > 1) {
      throw new SottoException(
          FailureKind.CONFIGURATION,
          "the learner " + app + " has learned " + checker.newest().size() + " models ("
              + String.join(", ", new TreeSet<>(checker.newest().keySet()))
              + "): what a unit has spent on all of them is in no entry of " + Names.ledger(app)
              + ". A run can begin at a learner of one model only");
    }
    eventTopicId = topics.size() == 1 ? topics.iterator().next() : "";
    if (!topics.equals(rangesLieIn)) {
      learned.clear(); // they are positions in a sequence of its own
    }
  }

  private static String header(Headers headers, String name) {
    Header found = headers.lastHeader(name);
    return found == null ? "" : new String(found.value(), StandardCharsets.UTF_8);
  }

  private static SottoException unverified(String why) {
    return new SottoException(FailureKind.UNVERIFIED, why);
  }
}
