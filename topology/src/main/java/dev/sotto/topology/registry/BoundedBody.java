package dev.sotto.topology.registry;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** Takes the beginning of an answer's body, and ends the answer where that is enough. */
final class BoundedBody implements HttpResponse.BodySubscriber<BoundedBody.Text> {
  /**
   * An answer.
   *
   * @param isCut whether its body is longer than what was taken
   */
  record Text(int status, String body, boolean isCut) {}

  private final int status;
  private final int most;
  private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
  private final CompletableFuture<Text> whole = new CompletableFuture<>();
  private Flow.Subscription subscription;

  private BoundedBody(int status, int most) {
    this.status = status;
    this.most = most;
  }

  /** Takes a number of bytes of each answer. */
  static HttpResponse.BodyHandler<Text> handler(int most) {
    return answer -> new BoundedBody(answer.statusCode(), most);
  }

  @Override
  public void onSubscribe(Flow.Subscription of) {
    subscription = of;
    of.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer each : buffers) {
      byte[] bytes = new byte[Math.min(each.remaining(), most - taken.size())];
      each.get(bytes);
      taken.writeBytes(bytes);
      if (each.hasRemaining()) {
        subscription.cancel();
        end(true);
        return;
      }
    }
  }

  private void end(boolean cut) {
    whole.complete(new Text(status, taken.toString(StandardCharsets.UTF_8), cut));
  }

  @Override
  public void onError(Throwable broken) {
    whole.completeExceptionally(broken);
  }

  @Override
  public void onComplete() {
    end(false);
  }

  @Override
  public CompletionStage<Text> getBody() {
    return whole;
  }
}
