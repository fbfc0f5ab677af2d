package dev.sotto.client;

import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.WeightsChunk;
import dev.sotto.serdes.topic.PublishedTopicNames;
import dev.sotto.testbroker.Cluster;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Publishes versions as a learner does, each in a transaction. */
public final class ModelPublisher implements AutoCloseable {
  public static final int WEIGHTS = 8;
  private static final String EXAMPLES =
      "examples 1\ndimension " + WEIGHTS + "\nunit none\nmax-bytes 100\n";

  /** What may be wrong with a version. */
  public enum Fault {
    NONE,
    WEIGHTS_CHANGED,
    CHUNK_MISSING,
    UNKNOWN_LOSS,
    UNKNOWN_FEATURES,
    OTHER_LEDGER_ENTRY,
    NO_LEDGER_ENTRY
  }

  public final String app;
  private final String features;
  private final Cluster cluster;
  private final KafkaProducer<byte[], byte[]> producer;

  public ModelPublisher(Cluster cluster, String app) {
    this(cluster, app, EXAMPLES);
  }

  /** With the text of a feature map for {@link #WEIGHTS} weights. */
  public ModelPublisher(Cluster cluster, String app, String features) {
    this.app = app;
    this.features = features;
    cluster.createTopic(PublishedTopicNames.snapshots(app), 2, Map.of());
    cluster.createTopic(PublishedTopicNames.ledger(app), 2, Map.of());
    this.cluster = cluster;
    producer = producer(cluster, app);
  }

  private ModelPublisher(Cluster cluster, ModelPublisher other) {
    this.app = other.app;
    this.features = other.features;
    this.cluster = cluster;
    producer = producer(cluster, app + "-beside");
  }

  private static KafkaProducer<byte[], byte[]> producer(Cluster cluster, String transactions) {
    KafkaProducer<byte[], byte[]> producer =
        cluster.producer(Map.of("transactional.id", transactions, "linger.ms", 0));
    producer.initTransactions();
    return producer;
  }

  /** One that publishes the same models in transactions of its own. */
  public ModelPublisher beside(Cluster cluster) {
    return new ModelPublisher(cluster, this);
  }

  /** Begins a transaction that publishes a version, and leaves it open. */
  public void begin(String model, long version) {
    producer.beginTransaction();
    sendVersion(model, version, Fault.NONE);
    producer.flush();
  }

  /** Begins a transaction that writes the ledger entry of a version, and leaves it open. */
  public void beginEntry(String model, long version) {
    producer.beginTransaction();
    send(
        PublishedTopicNames.ledger(app),
        model,
        Codecs.LEDGER.encode(made(model, version, Fault.NONE).entry()));
    producer.flush();
  }

  public void commit() {
    producer.commitTransaction();
  }

  public void abort() {
    producer.abortTransaction();
  }

  public void publish(String model, long version, Fault fault) {
    producer.beginTransaction();
    sendVersion(model, version, fault);
    producer.commitTransaction();
    cluster.awaitMarkers(PublishedTopicNames.snapshots(app));
  }

  /** Many at once. */
  public void publish(String model, long from, long to) {
    producer.beginTransaction();
    for (long version = from; version <= to; version++) {
      sendVersion(model, version, Fault.NONE);
    }
    producer.commitTransaction();
    cluster.awaitMarkers(PublishedTopicNames.snapshots(app));
  }

  public void publish(ModelAlias alias) {
    producer.beginTransaction();
    producer.send(new ProducerRecord<>(
        PublishedTopicNames.aliases(app), 0, alias.key(), Codecs.ALIAS.encode(alias)));
    producer.commitTransaction();
  }

  private void sendVersion(String model, long version, Fault fault) {
    MadeVersion made = made(model, version, fault);
    double[] weights = weights(version);
    byte[] entry = Codecs.LEDGER.encode(made.entry());
    ModelSnapshot manifest =
        fault == Fault.OTHER_LEDGER_ENTRY ? made.withLedgerHash(new byte[32]) : made.manifest();
    if (fault != Fault.NO_LEDGER_ENTRY) {
      send(PublishedTopicNames.ledger(app), model, entry);
    }
    if (fault == Fault.WEIGHTS_CHANGED) {
      weights[WEIGHTS - 1]++;
    }
    chunk(model, version, 0, weights);
    if (fault != Fault.CHUNK_MISSING) {
      chunk(model, version, 1, weights);
    }
    send(PublishedTopicNames.snapshots(app), model + "/manifest", Codecs.SNAPSHOT.encode(manifest));
  }

  private static double[] weights(long version) {
    double[] weights = new double[WEIGHTS];
    Arrays.fill(weights, version);
    return weights;
  }

  private MadeVersion made(String model, long version, Fault fault) {
    return MadeVersion.of(
        model,
        version,
        weights(version),
        fault == Fault.UNKNOWN_FEATURES ? "feature-map 7\n" : features,
        fault == Fault.UNKNOWN_LOSS ? "tweedie(2)" : "logistic");
  }

  private void chunk(String model, long version, int index, double[] weights) {
    byte[] half = PackedDoubles.pack(weights, index * WEIGHTS / 2, WEIGHTS / 2);
    send(
        PublishedTopicNames.snapshots(app),
        model + "/" + index,
        Codecs.CHUNK.encode(new WeightsChunk(model, version, index, half)));
  }

  private void send(String topic, String key, byte[] value) {
    producer.send(new ProducerRecord<>(topic, 1, key.getBytes(StandardCharsets.UTF_8), value));
  }

  @Override
  public void close() {
    producer.close();
  }
}
