extern "C" {
#include <GraphBLAS.h>
}

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "peers/peers.h"

namespace hushwalk::bench {
namespace {

void ok(GrB_Info info) {
  if (info != GrB_SUCCESS) throw std::runtime_error("GraphBLAS error " + std::to_string(info));
}

void start_once() {
  static const GrB_Info started = GrB_init(GrB_NONBLOCKING);
  ok(started);
}

// A full vector whose memory is borrowed for plain loops: packing and unpacking move a pointer.
class FullVector {
 public:
  explicit FullVector(GrB_Index size) : size_(size) {
    ok(GrB_Vector_new(&vector_, GrB_FP64, size));
    close(static_cast<double*>(std::calloc(size, sizeof(double))));
  }
  FullVector(const FullVector&) = delete;
  FullVector& operator=(const FullVector&) = delete;
  ~FullVector() { GrB_Vector_free(&vector_); }

  double* open() {
    void* values = nullptr;
    GrB_Index bytes = 0;
    bool iso = false;
    ok(GxB_Vector_unpack_Full(vector_, &values, &bytes, &iso, nullptr));
    return static_cast<double*>(values);
  }
  void close(double* values) {
    void* memory = values;
    ok(GxB_Vector_pack_Full(vector_, &memory, size_ * sizeof(double), false, nullptr));
  }
  GrB_Vector get() const { return vector_; }

 private:
  GrB_Index size_;
  GrB_Vector vector_ = nullptr;
};

}  // namespace

struct GraphBlasPpr::Impl {
  const DegreeOrder& order;
  Ppr ppr;
  Form form;
  GrB_Matrix matrix = nullptr;
  std::vector<double> inverse_degree;
};

GraphBlasPpr::GraphBlasPpr(const DegreeOrder& order, Ppr ppr, Form form)
    : impl_(new Impl{order, ppr, form, nullptr, {}}) {
  start_once();
  std::vector<GrB_Index> i, j;
  std::vector<double> values;
  for (const auto& row : order.rows)
    impl_->inverse_degree.push_back(row.empty() ? 0 : 1 / static_cast<double>(row.size()));
  for (std::size_t row = 0; row < order.rows.size(); ++row)
    for (const Node other : order.rows[row]) {
      i.push_back(row);
      j.push_back(other);
      values.push_back(form == Form::second ? 1 : ppr.beta / 2 * impl_->inverse_degree[other]);
    }
  ok(GrB_Matrix_new(&impl_->matrix, GrB_FP64, order.rows.size(), order.rows.size()));
  if (form == Form::second) {  // one value for all entries: they are not even stored
    GxB_Scalar one = nullptr;
    ok(GrB_Scalar_new(&one, GrB_FP64));
    ok(GrB_Scalar_setElement_FP64(one, 1));
    ok(GxB_Matrix_build_Scalar(impl_->matrix, i.data(), j.data(), one, i.size()));
    GrB_Scalar_free(&one);
  } else {
    ok(GrB_Matrix_build_FP64(impl_->matrix, i.data(), j.data(), values.data(), i.size(), GrB_PLUS_FP64));
  }
  ok(GrB_Matrix_wait(impl_->matrix, GrB_MATERIALIZE));
}

GraphBlasPpr::~GraphBlasPpr() { GrB_Matrix_free(&impl_->matrix); }

std::vector<double> GraphBlasPpr::run(Node seed, int threads) const {
  ok(GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads));
  const std::size_t size = impl_->order.rows.size(), at = impl_->order.row_of_node[seed];
  const double half = impl_->ppr.beta / 2, restart = 1 - impl_->ppr.beta;
  const bool second = impl_->form == Form::second;
  const GrB_Semiring semiring = second ? GxB_PLUS_SECOND_FP64 : GrB_PLUS_TIMES_SEMIRING_FP64;
  FullVector x(size), next(size);
  std::vector<double> result(size, 0.0);
  double* values = x.open();
  values[at] = 1;
  for (int k = 0; k < impl_->ppr.steps; ++k) {
    double* const start = next.open();
    for (std::size_t v = 0; v < size; ++v) start[v] = half * values[v];
    start[at] += restart;
    if (second)
      for (std::size_t v = 0; v < size; ++v) values[v] = half * values[v] * impl_->inverse_degree[v];
    x.close(values);
    next.close(start);
    ok(GrB_mxv(next.get(), nullptr, GrB_PLUS_FP64, semiring, impl_->matrix, x.get(), nullptr));
    double* const moved = next.open();  // swap the memory of x and next
    double* const spare = x.open();
    next.close(spare);
    values = moved;
  }
  result.assign(values, values + size);
  x.close(values);
  return impl_->order.by_node(result);
}

}  // namespace hushwalk::bench
