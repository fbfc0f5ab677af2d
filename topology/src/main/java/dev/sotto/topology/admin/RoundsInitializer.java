package dev.sotto.topology.admin;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.ClientConfigs;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.settings.SourceTopics;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The beginning of a model over rounds: where each partition's first slice lies is written once, as
 * the first record of every control partition, together with the opening of the first rounds. Of
 * several instances that start together one writes it: each takes the same transactional id, which
 * ends what another has begun, and looks before it writes.
 */
public final class RoundsInitializer {
  private static final int ATTEMPTS = 20;

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
    RoundGenesis found = read();
    for (int i = 0; found == null; i++) {
      try {
        write(admin, topics, source);
      } catch (ProducerFencedException raced) {
        if (i >= ATTEMPTS) {
          throw new SottoException(
              FailureKind.UNEXPECTED,
              "other instances keep starting at the same time; start them one after the other",
              raced);
        }
        pause(50L * (i + 1));
      }
      found = read();
    }
    check(found, topics, source);
    return found;
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

  private RoundGenesis read() {
    return stored(service.clients(), settings).orElse(null);
  }

  private void write(Admin admin, TopicSetup topics, SourceTopics source) {
    Map<String, Object> config = new HashMap<>(producerSettings(service.clients()));
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, settings.app() + "-genesis");
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      Map<TopicPartition, Long> paid = ledgerEnds(admin, topics);
      if (read()
          != null) { // a rival's transaction has ended by now, and before its rounds were paid for
        return;
      }
      requireNothingPaid(paid, settings.app());
      RoundGenesis genesis = make(admin, topics, source);
      List<ControlRecords.Entry> entries = ControlRecords.entries(settings, genesis);
      producer.beginTransaction();
      for (int partition = 0; partition < genesis.firstSlices().size(); partition++) {
        for (ControlRecords.Entry each : entries) {
          producer.send(new ProducerRecord<>(
              Names.control(settings.app()), partition, each.key(), each.value(), each.headers()));
        }
      }
      producer.commitTransaction();
    } catch (ProducerFencedException raced) {
      throw raced;
    } catch (KafkaException failed) {
      if (isFenced(failed)) {
        throw new ProducerFencedException("another instance writes the beginning");
      }
      throw new TransientException(
          FailureKind.UNREACHABLE,
          "the beginning of the model could not be written to " + Names.control(settings.app())
              + ": " + failed.getMessage(),
          failed);
    }
  }

  /** A rival shows in several ways: which one depends on the request that it comes between. */
  private static boolean isFenced(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  private RoundGenesis make(Admin admin, TopicSetup topics, SourceTopics source) {
    int partitions = topics.partitions(settings.eventTopic());
    long slots = settings.plan().batch() / partitions;
    List<TopicPartition> all = IntStream.range(0, partitions)
        .mapToObj(each -> new TopicPartition(settings.eventTopic(), each))
        .toList();
    OffsetSpec where = service.fromLatest() ? OffsetSpec.latest() : OffsetSpec.earliest();
    Map<TopicPartition, Long> from = StartOffsets.find(admin, topics, all, where);
    List<OffsetRange> firstSlices = all.stream()
        .map(each -> new OffsetRange(each.partition(), from.get(each), from.get(each) + slots))
        .toList();
    return ControlRecords.genesis(settings, source.eventTopicId(), firstSlices);
  }

  private void check(RoundGenesis genesis, TopicSetup topics, SourceTopics source) {
    if (!genesis.eventTopicId().equals(source.eventTopicId())) {
      throw new UnsafeToContinueException("the event topic " + settings.eventTopic()
          + " was deleted and made again: the model was begun on topic id "
          + genesis.eventTopicId() + ", now it is " + source.eventTopicId()
          + "; its records are others. Restore the topic, or " + NewHistory.START);
    }
    int now = topics.partitions(settings.eventTopic());
    if (genesis.firstSlices().size() != now) {
      throw new UnsafeToContinueException(
          "the model was begun over " + genesis.firstSlices().size() + " partitions of "
              + settings.eventTopic() + ", now there are " + now
              + ": which slots make a round would change; " + NewHistory.START);
    }
    requireSameRun(settings, genesis);
  }

  /**
   * Refuses where the model was begun under another key, name or configuration, or by an earlier
   * version.
   */
  static void requireSameRun(LearnerSettings settings, RoundGenesis genesis) {
    if (!settings.key().holds(genesis.keyId())) {
      throw new UnsafeToContinueException(
          "the model was begun under noise key " + genesis.keyId() + ", now it is "
              + settings.key().id() + ", and that one is not among the earlier ones. Put it back,"
              + " or, to rotate the key, list it under noise.key.previous.files");
    }
    byte[] fingerprint = settings.plan().fingerprint();
    byte[] runId = settings
        .key()
        .ofId(genesis.keyId())
        .runId(settings.modelIds().name(), fingerprint, settings.runName());
    if (!Arrays.equals(runId, genesis.runId())) {
      if (isWithoutApp(settings, genesis)) {
        throw new UnsafeToContinueException(
            NewHistory.otherSemantics("the beginning of the model", 3));
      }
      String what = Arrays.equals(fingerprint, genesis.fingerprint())
          ? "another model id, app.id or run.label"
          : "configuration " + HexFormat.of().formatHex(genesis.fingerprint()) + ", now it is "
              + HexFormat.of().formatHex(fingerprint);
      throw new UnsafeToContinueException("the model was begun under " + what
          + "; going on would break its guarantee. Put the old setting"
          + " back, or " + NewHistory.START);
    }
  }

  private static boolean isWithoutApp(LearnerSettings settings, RoundGenesis genesis) {
    byte[] runId = settings
        .key()
        .ofId(genesis.keyId())
        .runIdWithoutApp(settings.modelIds().name(), genesis.fingerprint(), settings.label());
    return Arrays.equals(runId, genesis.runId());
  }

  /** What is set for all clients, then what is set for producers alone. */
  private static Map<String, Object> producerSettings(Map<String, String> clients) {
    Map<String, Object> own =
        ClientConfigs.choose(clients, List.of("", "producer."), ProducerConfig.configNames());
    own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    own.put(ProducerConfig.ACKS_CONFIG, "all");
    own.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return own;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(FailureKind.UNEXPECTED, "interrupted while starting", stop);
    }
  }
}
