package dev.sotto.topology.start;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.StartingModel;
import dev.sotto.topology.admin.WriteOnce;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Names;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Where a run remembers at which published model it began: the topics from which it was read forget
 * old versions, and every later start needs the same one. Written once, in pieces that fit Kafka's
 * usual limit.
 */
public final class StartTopic {
  private static final int PIECE = 900_000;
  private static final byte[] MORE = {0};
  private static final byte[] LAST = {1};

  private final Map<String, String> clients;
  private final String app;

  /**
   * That of an application.
   *
   * @param clients Kafka client settings
   */
  public StartTopic(Map<String, String> clients, String app) {
    this.clients = clients;
    this.app = app;
  }

  /**
   * What the run began with.
   *
   * @return empty where it has not begun, or not at another's model
   * @throws SottoException where it cannot be read
   */
  public Optional<StartingModel> read() {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    boolean[] whole = new boolean[1];
    try (CommittedTopic topic = new CommittedTopic(clients, Names.start(app))) {
      topic.readUntil(record -> {
        all.writeBytes(record.value());
        whole[0] = Arrays.equals(record.key(), LAST);
        return whole[0];
      });
    } catch (SottoException missing) {
      if (missing.kind() == FailureKind.TOPIC) {
        return Optional.empty();
      }
      throw missing;
    }
    if (!whole[0]) {
      return Optional.empty();
    }
    try {
      return Optional.of(Codecs.STARTING_MODEL.decode(all.toByteArray()));
    } catch (UnreadableRecordException damaged) {
      throw new UnsafeToContinueException(
          "topic " + Names.start(app) + " does not say any more at which model the run began: "
              + damaged.getMessage() + "; restore it",
          damaged);
    }
  }

  /**
   * Writes what the run begins with, unless another instance has.
   *
   * @throws SottoException where the run has begun with something else
   */
  public void write(StartingModel model) {
    byte[] bytes = Codecs.STARTING_MODEL.encode(model);
    StartingModel found = new WriteOnce<StartingModel>(
            clients, app + "-start", "the model at which the run begins, in " + Names.start(app))
        .find(new WriteOnce.Content<>() {
          @Override
          public Optional<StartingModel> read() {
            return StartTopic.this.read();
          }

          private long paid;

          @Override
          public void look() {
            paid = PublishedRun.entries(clients, app);
          }

          @Override
          public List<ProducerRecord<byte[], byte[]>> records() {
            if (paid > 0) {
              throw new UnsafeToContinueException("the ledger " + Names.ledger(app)
                  + " has entries,"
                  + " but " + Names.start(app) + " does not say at which model the run began: it"
                  + " was deleted and made again, or start.from was added to a run that lives."
                  + " Restore it, or take start.from out, or " + NewHistory.START);
            }
            return pieces(bytes);
          }
        });
    if (!Arrays.equals(bytes, Codecs.STARTING_MODEL.encode(found))) {
      throw new SottoException(
          FailureKind.FAULTS,
          "another instance has begun the run at " + found.source() + " while this one was about to"
              + " begin at " + model.source() + "; start this one again, and it will follow");
    }
  }

  private List<ProducerRecord<byte[], byte[]>> pieces(byte[] bytes) {
    List<ProducerRecord<byte[], byte[]>> pieces = new ArrayList<>();
    for (int at = 0; at < bytes.length; at += PIECE) {
      int end = Math.min(bytes.length, at + PIECE);
      pieces.add(new ProducerRecord<>(
          Names.start(app),
          0,
          end == bytes.length ? LAST : MORE,
          Arrays.copyOfRange(bytes, at, end)));
    }
    return pieces;
  }
}
