package dev.sotto.topology.fetch;

import dev.sotto.topology.failure.UnsafeToContinueException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.ClientRequest;
import org.apache.kafka.clients.ClientResponse;
import org.apache.kafka.clients.KafkaClient;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;

/**
 * Kafka's consumer of bytes, but that no record makes it allocate more than a bounded number of
 * bytes, whatever it decompresses to, and no poll returns more of them than it is given
 * (docs/decisions/0036-decompressed-sizes.md). A record that is too long comes cut, too long for
 * every decoder, in its place. Records of a topic that was made again under the name of one whose
 * id it knows ({@link TopicIds}) never come: polls end with a refusal.
 *
 * <p>Kafka has no place of its own for this: the consumer's connection to brokers is replaced by
 * one that looks at what was fetched. A consumer that does not take it cannot be made.
 */
public class BoundedRecords extends KafkaConsumer<byte[], byte[]> {
  private final PollLimit pollLimit;
  private volatile UnsafeToContinueException foreign; // where a topic is no longer what it was

  /**
   * A consumer.
   *
   * @param pollBytes of keys and values that one poll returns, at most; one record always comes
   */
  public BoundedRecords(Map<String, Object> config, long pollBytes) {
    this(config, new PollLimit(pollBytes));
  }

  private BoundedRecords(Map<String, Object> config, PollLimit pollLimit) {
    super(config, pollLimit.ofKeys(), pollLimit.ofValues());
    this.pollLimit = pollLimit;
    try {
      BatchLimit limit = new BatchLimit(RecordLimits.of(config));
      TopicIds ids = TopicIds.of(config);
      Object network = network(field(KafkaConsumer.class, "delegate").get(this));
      Field connection = field(network.getClass(), "client");
      connection.set(network, limiting((KafkaClient) connection.get(network), limit, ids));
    } catch (ReflectiveOperationException | RuntimeException other) {
      super.close();
      throw new IllegalStateException(
          "the consumer of this version of kafka-clients has no place where the sizes of records"
              + " can be bounded: use the version that this program was made with",
          other);
    }
  }

  /** What holds the connection: of the consumer that polls, or of one with a thread of its own. */
  private static Object network(Object consumer) throws ReflectiveOperationException {
    if (!consumer.getClass().getSimpleName().equals("AsyncKafkaConsumer")) {
      return field(consumer.getClass(), "client").get(consumer);
    }
    Object events = field(consumer.getClass(), "applicationEventHandler").get(consumer);
    Object thread = field(events.getClass(), "networkThread").get(events);
    return field(thread.getClass(), "networkClientDelegate").get(thread);
  }

  /** The connection to brokers of what stands behind a consumer. */
  static Object connection(Object consumer) throws ReflectiveOperationException {
    Object network = network(consumer);
    return field(network.getClass(), "client").get(network);
  }

  private static Field field(Class<?> of, String name) throws NoSuchFieldException {
    Field field = of.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  private KafkaClient limiting(KafkaClient client, BatchLimit limit, TopicIds ids) {
    return (KafkaClient) Proxy.newProxyInstance(
        KafkaClient.class.getClassLoader(),
        new Class<?>[] {KafkaClient.class},
        (proxy, method, arguments) -> {
          if (method.getName().equals("send")) {
            ClientRequest request = (ClientRequest) arguments[0];
            if (request.requestBuilder() instanceof FetchRequest.Builder fetch && foreign == null) {
              foreign = ids.fault(fetch);
            }
            arguments[0] = limited(request, limit);
          }
          return invoke(client, method, arguments);
        });
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException thrown) {
      throw thrown.getCause();
    }
  }

  /** The same request, but that what comes is looked at before it is handed on. */
  private static ClientRequest limited(ClientRequest request, BatchLimit limit) {
    if (request.apiKey() != ApiKeys.FETCH) {
      return request;
    }
    short version = request.requestBuilder().latestAllowedVersion();
    return new ClientRequest(
        request.destination(),
        request.requestBuilder(),
        request.correlationId(),
        request.makeHeader(version).clientId(),
        request.createdTimeMs(),
        request.expectResponse(),
        request.requestTimeoutMs(),
        response -> {
          limit(response, limit);
          request.callback().onComplete(response);
        });
  }

  private static void limit(ClientResponse response, BatchLimit limit) {
    if (response.responseBody() instanceof FetchResponse fetched) {
      fetched
          .data()
          .responses()
          .forEach(topic -> topic.partitions().forEach(partition -> {
            if (partition.records() instanceof MemoryRecords records) {
              partition.setRecords(limit.limited(records));
            }
          }));
    }
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    pollLimit.reset();
    requireKnown();
    ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
    requireKnown();
    return records;
  }

  /** What was asked of another topic by the name of one comes after it was asked. */
  private void requireKnown() {
    if (foreign != null) {
      throw foreign;
    }
  }
}
