package dev.sotto.topology.admin;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SameRun;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.EventPartitions;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * The beginning of a model over rounds: where each partition's first slice lies is written once, as
 * the first record of every control partition, together with the opening of the first rounds.
 */
public final class RoundsInitializer {
  private final LearnerSettings settings;
  private final ServiceSettings service;

  public RoundsInitializer(LearnerSettings settings, ServiceSettings service) {
    this.settings = settings;
    this.service = service;
  }

  /**
   * Finds the beginning, or makes it.
   *
   * @throws UnsafeToContinueException where it belongs to other settings
   */
  public RoundGenesis find(Admin admin, TopicSetup topics, SourceTopics source) {
    RoundGenesis found = new WriteOnce<RoundGenesis>(
            service.clients(),
            settings.app() + "-genesis",
            "the beginning of the model in " + Names.control(settings.app()))
        .find(new Beginning(admin, topics, source));
    check(found, topics, source);
    return found;
  }

  private final class Beginning implements WriteOnce.Content<RoundGenesis> {
    private final Admin admin;
    private final TopicSetup topics;
    private final SourceTopics source;
    private Map<TopicPartition, Long> paid = Map.of();

    Beginning(Admin admin, TopicSetup topics, SourceTopics source) {
      this.admin = admin;
      this.topics = topics;
      this.source = source;
    }

    @Override
    public Optional<RoundGenesis> read() {
      return stored(service.clients(), settings);
    }

    /** Before it is read: the rounds of a rival are paid for after its beginning is there. */
    @Override
    public void look() {
      paid = ledgerEnds(admin, topics);
    }

    @Override
    public List<ProducerRecord<byte[], byte[]>> records() {
      requireNothingPaid(paid, settings.app());
      RoundGenesis genesis = make(admin, topics, source);
      List<ControlRecords.Entry> entries = ControlRecords.entries(settings, genesis);
      return IntStream.range(0, genesis.firstSlices().size())
          .boxed()
          .flatMap(partition -> entries.stream()
              .map(each -> new ProducerRecord<>(
                  Names.control(settings.app()),
                  partition,
                  each.key(),
                  each.value(),
                  each.headers())))
          .toList();
    }
  }

  /**
   * How a model over rounds began: the first record of every control partition says it.
   *
   * @param clients Kafka client settings
   * @return empty where the model has not begun
   * @throws SottoException where the topic is missing, cannot be read, or was written under another
   *     encryption
   */
  public static Optional<RoundGenesis> stored(Map<String, ?> clients, LearnerSettings settings) {
    RoundGenesis[] first = new RoundGenesis[1];
    try (CommittedTopic control = new CommittedTopic(clients, Names.control(settings.app()))) {
      control.readUntil(record -> {
        if (ControlRecords.isGenesis(record.key())) {
          first[0] = RoundCodecs.GENESIS.decode(settings.controlCipher().open(record.value()));
        }
        return first[0] != null;
      });
    }
    return Optional.ofNullable(first[0]);
  }

  private Map<TopicPartition, Long> ledgerEnds(Admin admin, TopicSetup topics) {
    String ledger = Names.ledger(settings.app());
    List<TopicPartition> all = IntStream.range(0, topics.partitions(ledger))
        .mapToObj(each -> new TopicPartition(ledger, each))
        .toList();
    return StartOffsets.find(admin, topics, all, OffsetSpec.latest());
  }

  /**
   * Refuses where the ledger has entries: a beginning is made once.
   *
   * @param ends offsets behind its last committed entries
   */
  static void requireNothingPaid(Map<TopicPartition, Long> ends, String app) {
    if (ends.values().stream().anyMatch(each -> each > 0)) {
      throw new UnsafeToContinueException(
          "the ledger " + Names.ledger(app) + " has entries, but " + Names.control(app)
              + " does not say how the model began: it was deleted and made again, or the rounds"
              + " were cut by another"
              + " layout before. Restore it, or " + NewHistory.START);
    }
  }

  private RoundGenesis make(Admin admin, TopicSetup topics, SourceTopics source) {
    int partitions = topics.partitions(settings.eventTopic());
    long slots = settings.plan().batch() / partitions;
    List<TopicPartition> all = IntStream.range(0, partitions)
        .mapToObj(each -> new TopicPartition(settings.eventTopic(), each))
        .toList();
    OffsetSpec where = service.fromLatest() && settings.learnedBefore().isEmpty()
        ? OffsetSpec.latest()
        : OffsetSpec.earliest();
    Map<TopicPartition, Long> from =
        StartOffsets.behind(settings.learnedBefore(), StartOffsets.find(admin, topics, all, where));
    List<OffsetRange> firstSlices = all.stream()
        .map(each -> new OffsetRange(each.partition(), from.get(each), from.get(each) + slots))
        .toList();
    return ControlRecords.genesis(settings, source.eventTopicId(), firstSlices);
  }

  private void check(RoundGenesis genesis, TopicSetup topics, SourceTopics source) {
    StartFinding.stopAtFaults(List.of(events(
        settings, genesis, source.eventTopicId(), topics.partitions(settings.eventTopic()))));
    requireSameRun(settings, genesis);
    Map<TopicPartition, Long> firsts = genesis.firstSlices().stream()
        .collect(Collectors.toMap(
            each -> new TopicPartition(settings.eventTopic(), each.partition()),
            OffsetRange::from));
    StartOffsets.requireBehind(firsts, settings.learnedBefore(), settings.app());
  }

  /**
   * Whether the event topic is the one that the model was begun on.
   *
   * @param topicId that it has now
   * @param partitions that it has now
   */
  public static StartFinding events(
      LearnerSettings settings, RoundGenesis genesis, String topicId, int partitions) {
    String subject = "event topic " + settings.eventTopic();
    int began = genesis.firstSlices().size();
    if (!genesis.eventTopicId().equals(topicId)) {
      return StartFinding.fault(
          FailureKind.REFUSED,
          subject,
          "has topic id " + topicId + "; the model was begun on " + genesis.eventTopicId(),
          "the very topic that was learned from",
          "it was deleted and made again, and its records are others: restore the topic, or "
              + NewHistory.START);
    }
    return began == partitions
        ? StartFinding.ok(subject, "the one that the model was begun on")
        : StartFinding.fault(
            FailureKind.REFUSED,
            subject,
            StartChecks.counted(partitions),
            began + ", over which the model was begun: its slices would be others",
            EventPartitions.others(settings, began, partitions));
  }

  /**
   * Refuses where the model was begun under another key, name or configuration.
   */
  static void requireSameRun(LearnerSettings settings, RoundGenesis genesis) {
    new SameRun(
            settings.key(),
            settings.runName(),
            settings.modelIds().name(),
            settings.plan().fingerprint())
        .require(new SameRun.Begun(genesis.keyId(), genesis.runId(), genesis.fingerprint()));
  }
}
