package dev.sotto.topology.registry;

import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.RecordCodec;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.apache.avro.Schema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of published records for whoever reads by the ids of a registry: the same Avro body behind
 * a zero and the id of its schema. The ids are asked for before anything is learned.
 */
public final class RegistryCopies {
  /** A public topic that may have a copy. */
  public enum Kind {
    LEDGER(Codecs.LEDGER),
    SNAPSHOTS(Codecs.SNAPSHOT, Codecs.CHUNK);

    private final RecordCodec<?>[] codecs;

    Kind(RecordCodec<?>... codecs) {
      this.codecs = codecs;
    }

    /** As settings write it. */
    public String configName() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The schemas are told apart by a subject each where the topic has records of several. */
    private String subject(String topic, Schema schema) {
      return topic + "-" + (codecs.length == 1 ? "value" : schema.getFullName());
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(RegistryCopies.class);
  private static final long FIRST_PAUSE = 100;
  private static final long LONGEST_PAUSE = 2_000;

  private final RegistryClient client;
  private final Set<Kind> kinds;
  private final boolean registers;
  private final RegistryWait wait;
  private final Map<Long, Integer> ids = new ConcurrentHashMap<>(); // by Avro's fingerprint

  /**
   * Copies that know no ids yet.
   *
   * @param kinds what is copied
   * @param registers whether schemas that the registry does not have are registered
   */
  public RegistryCopies(RegistryClient client, Set<Kind> kinds, boolean registers) {
    this.client = client;
    this.kinds = Set.copyOf(kinds);
    this.registers = registers;
    this.wait = new RegistryWait(client.url(), System::nanoTime);
  }

  /** Whom it asks. */
  public RegistryClient client() {
    return client;
  }

  /** Whether a topic has a copy. */
  public boolean has(Kind kind) {
    return kinds.contains(kind);
  }

  /** Whether it waits for the registry. */
  public Optional<RegistryWait.Waiting> waiting() {
    return wait.now();
  }

  /**
   * Asks for the ids of all schemas, for as long as the registry does not answer.
   *
   * @param topics the names of the copies
   * @param stopped whether one must not wait any longer
   * @throws SottoException where the registry refuses a schema, or has it not
   */
  public void prepare(Map<Kind, String> topics, BooleanSupplier stopped) {
    for (Kind kind : Kind.values()) {
      if (has(kind)) {
        for (RecordCodec<?> codec : kind.codecs) {
          for (Schema schema : codec.written()) {
            String subject = kind.subject(topics.get(kind), schema);
            int id = await(subject, schema, stopped);
            ids.put(SingleObject.fingerprint(schema), id);
            LOG.info("{} of {} has id {}", schema.getName(), subject, id);
          }
        }
      }
    }
  }

  private int await(String subject, Schema schema, BooleanSupplier stopped) {
    long pause = FIRST_PAUSE;
    while (true) {
      try {
        int id = client.id(subject, schema, registers);
        wait.answered();
        return id;
      } catch (IllegalArgumentException refused) {
        wait.answered();
        throw new SottoException(
            FailureKind.CONFIGURATION,
            "the schema registry " + client.url() + " gives no id for " + schema.getName()
                + " under subject " + subject + ": " + refused.getMessage()
                + ". Nothing was learned. Without " + CopySettings.URL + " there is no copy",
            refused);
      } catch (IOException none) {
        wait.failed(
            "for the id of " + schema.getName() + " under subject " + subject
                + "; nothing is learned until it answers",
            RegistryClient.reason(none));
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
      if (stopped.getAsBoolean() || Thread.currentThread().isInterrupted()) {
        throw new TransientException(
            FailureKind.UNREACHABLE,
            "told to stop while waiting for the schema registry " + client.url()
                + "; nothing was learned");
      }
      pause = sleep(pause);
    }
  }

  private static long sleep(long pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return Math.min(LONGEST_PAUSE, 2 * pause);
  }

  /**
   * A published value as its copy has it.
   *
   * @param value in Avro's single-object encoding; null stays null
   */
  public byte[] framed(byte[] value) {
    if (value == null) {
      return null;
    }
    Integer id = ids.get(SingleObject.fingerprintOf(value));
    if (id == null) {
      throw new IllegalStateException("a record is to be copied whose schema has no id");
    }
    int body = value.length - SingleObject.HEADER;
    return ByteBuffer.allocate(SchemaHeaders.NUMBER_BYTES + body)
        .put(SchemaHeaders.NUMBER)
        .putInt(id)
        .put(value, SingleObject.HEADER, body)
        .array();
  }
}
