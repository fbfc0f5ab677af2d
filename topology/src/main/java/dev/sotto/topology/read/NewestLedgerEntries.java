package dev.sotto.topology.read;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The ends of the ledger's chains, and whether they belong to a configuration. */
public final class NewestLedgerEntries {
  private static final long FIRST_STEP = 64;

  private final Map<String, ?> clients;
  private final PartitionReader reader;
  private final String ledger;

  /**
   * Those of one ledger.
   *
   * @param clients Kafka client settings, for what was published with an entry
   * @param reader of committed records
   */
  public NewestLedgerEntries(Map<String, ?> clients, PartitionReader reader, String ledger) {
    this.clients = clients;
    this.reader = reader;
    this.ledger = ledger;
  }

  /**
   * The last committed entry of each partition that has one.
   *
   * @throws UnsafeToContinueException where a record near the end is none
   */
  public Map<Integer, LedgerEntry> last(int partitions) {
    Map<Integer, LedgerEntry> all = new TreeMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      TopicPartition where = new TopicPartition(ledger, partition);
      long end = reader.end(where);
      long begin = reader.beginning(where);
      LedgerEntry[] last = new LedgerEntry[1];
      for (long step = FIRST_STEP; last[0] == null; step *= 8) {
        long from = Math.max(begin, end - step);
        reader.read(where, from, end, record -> {
          last[0] = entry(record);
          return true;
        });
        if (from == begin) {
          break;
        }
      }
      if (last[0] != null) {
        all.put(partition, last[0]);
      }
    }
    return all;
  }

  /** What others have written there nobody can take out again. */
  private static LedgerEntry entry(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Codecs.LEDGER.decode(record.value());
    } catch (UnreadableRecordException foreign) {
      throw new UnsafeToContinueException(
          "ledger " + record.topic() + ", partition " + record.partition() + ", offset "
              + record.offset() + ": " + foreign.getMessage()
              + ". What something else has written there stays, and this run cannot go on: keep the"
              + " ledger as the account of what was spent (sotto ledger prints it), and start a new"
              + " app.id, with another run.label, and with privacy.spent.mu set to the mu of its"
              + " last entry",
          foreign);
    }
  }

  /** What in a configuration does not fit the run of a partition's last entry. */
  public StartFinding check(int partition, LedgerEntry last, LearnerSettings settings) {
    if (last.semantics() != Releaser.SEMANTICS) {
      return fault(
          partition,
          "written by semantics version " + last.semantics(),
          "semantics version " + Releaser.SEMANTICS,
          "run the version of Sotto that wrote it, or " + NewHistory.START);
    }
    byte[] fingerprint = settings.planOf(last.modelId()).fingerprint();
    if (!Arrays.equals(last.fingerprint(), fingerprint)) {
      return fault(
          partition,
          "model " + last.modelId() + " was learned under another configuration: "
              + String.join("; ", differences(last, settings)),
          "the configuration " + hex(last.fingerprint()) + ", which now is " + hex(fingerprint),
          "put the old settings back, or " + NewHistory.START);
    }
    NoiseKey key = settings.key();
    if (key.holds(last.keyId())
        && key.isRun(last.runId(), last.modelId(), fingerprint, settings.runName())) {
      return StartFinding.ok(
          subject(partition),
          "round " + last.round() + " of model " + last.modelId() + ", of this run");
    }
    String origin = first(partition, last).keyId();
    for (String needed : new String[] {origin, last.keyId()}) {
      if (!key.holds(needed)) {
        return fault(
            partition,
            "model " + last.modelId() + " was learned under noise key " + needed,
            "that key; noise key " + key.id() + " is given",
            NewHistory.OLD_KEY);
      }
    }
    byte[] run = key.ofId(origin).runId(last.modelId(), fingerprint, settings.runName());
    return fault(
        partition,
        "run " + hex(last.runId()) + " of model " + last.modelId(),
        "run " + hex(run) + ", which follows from app.id " + settings.app() + " and run.label "
            + settings.label(),
        "put the old app.id and run.label back, or " + NewHistory.START);
  }

  private String subject(int partition) {
    return "ledger " + ledger + ", partition " + partition;
  }

  private StartFinding fault(int partition, String found, String needed, String fix) {
    return StartFinding.fault(FailureKind.REFUSED, subject(partition), found, needed, fix);
  }

  /**
   * Refuses to go on with a model that is configured and was learned under other settings, another
   * noise key, or another name of the run.
   *
   * @throws UnsafeToContinueException saying which
   */
  public void requireSameRun(int partition, LedgerEntry last, LearnerSettings settings) {
    if (settings.learns(last.modelId()) && last.semantics() == Releaser.SEMANTICS) {
      StartFinding.stopAtFaults(List.of(check(partition, last, settings)));
    }
  }

  private List<String> differences(LedgerEntry last, LearnerSettings settings) {
    return SettingDifferences.of(
        last,
        manifest(last, settings),
        settings.planOf(last.modelId()),
        settings.run().start().isEmpty() && beganAtAModel(settings.app()));
  }

  /** Whether a topic remembers a model at which the run began. */
  private boolean beganAtAModel(String app) {
    boolean[] any = new boolean[1];
    try (CommittedTopic start = new CommittedTopic(clients, Names.start(app))) {
      start.readUntil(record -> any[0] = true);
    } catch (SottoException missing) {
      return false;
    }
    return any[0];
  }

  /** Of a version of an entry's run; empty where none is whole. */
  private Optional<ModelSnapshot> manifest(LedgerEntry last, LearnerSettings settings) {
    try (NewestVersions versions = new NewestVersions(clients, Names.snapshots(settings.app()))) {
      return Optional.ofNullable(versions.of(List.of(last.modelId())).get(last.modelId()))
          .map(PublishedModel::manifest)
          .filter(each -> Arrays.equals(each.runId(), last.runId()));
    } catch (SottoException missing) {
      return Optional.empty(); // what the ledger shows is shown all the same
    }
  }

  /** The first entry of an entry's run. */
  private LedgerEntry first(int partition, LedgerEntry last) {
    TopicPartition where = new TopicPartition(ledger, partition);
    LedgerEntry[] first = {last};
    reader.read(where, reader.beginning(where), reader.end(where), record -> {
      LedgerEntry entry = entry(record);
      boolean found =
          entry.modelId().equals(last.modelId()) && Arrays.equals(entry.runId(), last.runId());
      first[0] = found ? entry : first[0];
      return !found;
    });
    return first[0];
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
